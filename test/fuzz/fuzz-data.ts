// Inserts two similar projects that share no users, teams or other rows. Every text of the second one contains a mark
// that occurs nowhere else, and all its ids are known: no response to a key for the first one may contain them.

import type { Sql } from '../support/workgate.ts'

export const mark = 'Canaryword'

export interface ProjectData {
  project: string
  /** All ids. */
  ids: string[]
  /** Ids by the name of the parameter that takes them. */
  idsOf: Record<string, string[]>
}

const kinds: Record<string, string> = {
  boardId: 'boards',
  stageId: 'stages',
  taskId: 'tasks',
  commentId: 'comments',
  fileId: 'files',
  timeEntryId: 'time_entries',
  documentId: 'documents',
}

export const ownKey = 'OWN'
export const otherKey = mark.toUpperCase()

export async function insertProjects(sql: Sql): Promise<[own: ProjectData, other: ProjectData]> {
  return [await insertProject(sql, ownKey, 'plain'), await insertProject(sql, otherKey, mark)]
}

async function insertProject(sql: Sql, key: string, word: string): Promise<ProjectData> {
  const [{ id: project } = { id: '' }] = await sql<{ id: string }[]>`
    insert into workgate.projects (key, name, description, owner_id, created_at)
    values (${key}, ${`${word} project`}, ${`${word} text`}, null, '2026-01-01')
    returning id`
  // prettier-ignore
  await sql.unsafe(`
    with u as (insert into workgate.users (name, email) select '${word} ' || n, '${word}' || n || '@example.org' from generate_series(1, 12) n returning id)
    insert into workgate.project_members (project_id, user_id, role) select '${project}', id, 'member' from u;
    with t as (insert into workgate.teams (name, description) select '${word} ' || n, '${word}' from generate_series(1, 5) n returning id)
    insert into workgate.project_teams (project_id, team_id) select '${project}', id from t;
    insert into workgate.team_members (team_id, user_id) select team_id, user_id from workgate.project_teams t join workgate.project_members m using (project_id) where project_id = '${project}';
    update workgate.projects set owner_id = (select user_id from workgate.project_members where project_id = '${project}' limit 1) where id = '${project}';
    insert into workgate.boards (project_id, name, description, position) select '${project}', '${word} ' || n, '${word}', n from generate_series(1, 4) n;
    insert into workgate.stages (project_id, board_id, name, position, category)
    select '${project}', b.id, '${word} ' || n, n, (array['backlog', 'active', 'done'])[n] from workgate.boards b, generate_series(1, 3) n where project_id = '${project}';
    insert into workgate.tags (project_id, name) select '${project}', '${word} ' || n from generate_series(1, 4) n;
    insert into workgate.fields (project_id, name, type) values ('${project}', 'points', 'number'), ('${project}', 'note', 'text');
    insert into workgate.tasks (project_id, title, description, fields, stage_id, assignee_id, due_date, state, completed_at)
    select '${project}', '${word} ' || n, '${word} ' || n, jsonb_build_object('points', n, 'note', '${word} ' || n), (select id from workgate.stages where project_id = '${project}' and n > 0 order by random() limit 1),
      (select user_id from workgate.project_members where project_id = '${project}' and n > 0 order by random() limit 1), '2026-01-01'::date + n,
      case when n % 7 = 0 then 'cancelled' when n % 3 = 0 then 'completed' else 'open' end, case when n % 7 > 0 and n % 3 = 0 then '2026-02-03'::date + n end
    from generate_series(1, 40) n;
    insert into workgate.task_tags (project_id, task_id, tag_id) select '${project}', t.id, g.id from workgate.tasks t join workgate.tags g using (project_id) where project_id = '${project}';
    insert into workgate.task_watchers (project_id, task_id, user_id) select '${project}', t.id, assignee_id from workgate.tasks t where project_id = '${project}';
    insert into workgate.comments (project_id, task_id, author_id, body) select '${project}', id, assignee_id, '${word} ' || number from workgate.tasks where project_id = '${project}';
    insert into workgate.files (project_id, comment_id, name, mime_type, size_bytes, sha256, url)
    select '${project}', id, '${word}.txt', 'text/${word}', 7, workgate.sha256_hex(body), 'https://example.org/${word}' from workgate.comments where project_id = '${project}';
    insert into workgate.files (project_id, task_id, creator_id, name, mime_type, url)
    select '${project}', id, assignee_id, '${word}', 'text/${word}', 'https://example.org/${word}' from workgate.tasks where project_id = '${project}';
    insert into workgate.time_entries (project_id, task_id, user_id, description, spent_on, started_at)
    select '${project}', id, assignee_id, '${word}', '2026-01-05', '2026-01-05' from workgate.tasks where project_id = '${project}';
    insert into workgate.documents (project_id, path, title, task_id, author_id, markdown)
    select '${project}', '${word}/' || number, '${word}', id, assignee_id, '# ${word} ' || number from workgate.tasks where project_id = '${project}';
  `)

  const idsIn = async (table: string, column = 'id') =>
    (await sql`select ${sql(column)} as id from ${sql(`workgate.${table}`)} where project_id = ${project}`).map(
      (row) => row['id'] as string,
    )
  const idsOf: Record<string, string[]> = {
    projectId: [project],
    userId: await idsIn('project_members', 'user_id'),
    teamId: await idsIn('project_teams', 'team_id'),
  }
  for (const [name, table] of Object.entries(kinds)) idsOf[name] = await idsIn(table)
  const unnamed = await idsIn('tags')
  return { project, idsOf, ids: [...Object.values(idsOf).flat(), ...unnamed] }
}

/** Tables that change besides what a request writes: uses of keys, and tables that are compacted. */
const ignoredTables = [
  'api_key_uses',
  'tallies',
  'tally_deltas',
  'task_efforts',
  'effort_marks',
  'freshness_marks',
  'freshness_versions',
]

/** Returns the number of rows and a digest for each of the other tables. */
export async function readDigests(sql: Sql): Promise<Record<string, string>> {
  const tables =
    await sql`select table_name as name from information_schema.tables where table_schema = 'workgate' and table_type = 'BASE TABLE'`
  const digests: Record<string, string> = {}
  for (const { name } of tables.filter((table) => !ignoredTables.includes(table['name']))) {
    const [row] =
      await sql`select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest from ${sql(`workgate.${name}`)} t`
    digests[name] = row!['digest']
  }
  return digests
}
