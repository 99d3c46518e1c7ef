// Generates rows for the list oracle: many ties, nulls, names in many scripts, words that rows share, days around
// today. They are the same on each run except for the days. The inserted rows are read back as plain objects, because
// the database fills in some values.

import { chooser } from '../support/random.ts'
import type { Sql } from '../support/workgate.ts'

export type Row = Record<string, any>

export interface Tables {
  [table: string]: Row[]
}

const { below, chance, id, maybe, pick, some, times } = chooser(20_261_121)

// Symbols that are neither letters nor digits are not part of words, so that every definition of a word agrees.
const words =
  `report Report REPORTS design data database base 2026 20 v2 über Über naïve Ångström Zoë café отчёт Отчёты ЗАДАЧА
   задача 設計 東京 東京都 データ İstanbul istanbul ılık IŞIK ışık ΟΔΟΣ οδοσ don t can`.split(/\s+/)
const between = [
  ' ',
  ' ',
  ' ',
  ' ',
  ', ',
  '-',
  '/',
  '_',
  ' — ',
  '. ',
  "'",
  '"',
  ' \\ ',
  '%',
  '\u00a0',
  '\u3000',
  '\n',
  ' 🚀 ',
  ' (',
  ')',
]
const text = (max: number): string => times(1 + below(max), () => pick(words) + pick(between)).join('') + pick(words)
const description = () => maybe(0.6, () => text(12))
const name = () =>
  pick([
    'Ann',
    'ann',
    'ANN',
    'Zoë',
    'zoë',
    'İpek',
    'ipek',
    'ılgın',
    'Ягода',
    'ягода',
    '設計',
    '🚀 go',
    '\uff21bc',
    'a',
    'B',
    text(2),
  ])

const dayMs = 86_400_000
const midnight = new Date().setUTCHours(0, 0, 0, 0)
/** Few different moments, a millisecond or less apart. The columns round them, so they are read back. */
function moment(): string {
  const ms = midnight - pick([0, 1, 1, 2, 30, 365]) * dayMs + pick([0, 0, 34_200_000, dayMs - 1]) + below(3)
  return new Date(ms).toISOString().replace('Z', pick(['Z', 'Z', '123Z', '499Z', '501Z', '999Z']))
}
const day = () => new Date(midnight + (below(7) - 3) * dayMs).toISOString().slice(0, 10)
const days = () => ({ start_date: maybe(0.4, () => '2020-01-01'), due_date: maybe(0.7, day) })
const stamps = () => ({ created_at: moment(), updated_at: moment() })

/** Two projects with many rows, and one that the key cannot access. All others appear only in the list of projects. */
export const [large, small, foreign] = [id(), id(), id()] as const
const sizes: Record<string, number> = { [large]: 1, [small]: 0.3, [foreign]: 0.3 }

/** In one of the projects, the points are sizes of shirts. */
const typesIn = (project: string) => ({
  points: project === small ? 'text' : 'number',
  effort: 'number',
  sprint: 'text',
  decided: 'date',
  billed: 'boolean',
  labels: 'list',
})
const texts = ['5', 'true', 'none', '2026-11-21', 'a,b', 'Sprint 3', 'sprint 3', '設計', "'", '50%']
const ownFields = (project: string) =>
  Object.fromEntries(
    Object.entries({
      points: project === small ? pick(['S', 'M', '5', '2026-11-21']) : pick([-1, 0, 0.5, 2, 5, 13, 13]),
      effort: pick([-1, 0, 0.5, 2, 2, 5.25, 1_000_000_000]),
      sprint: pick(texts),
      decided: day(),
      billed: chance(0.5),
      labels: [pick(texts), ...some(texts, 2)],
    }).filter(() => chance(0.6)),
  )

export async function insertData(sql: Sql): Promise<Tables> {
  const insert = async (table: string, list: Row[]) => {
    for (let at = 0; at < list.length; at += 500) {
      await sql`insert into ${sql(`workgate.${table}`)} ${sql(list.slice(at, at + 500))}`
    }
    return list
  }
  const users = await insert(
    'users',
    times(70, (n) => ({
      id: id(),
      name: name(),
      email: maybe(0.9, () => `${pick(['ann', 'Zoe', 'i'])}.${n}@example.${pick(['org', 'com'])}`),
      active: chance(0.7),
      ...stamps(),
    })),
  )
  const userIds = users.map(({ id }) => id)
  const teams = await insert(
    'teams',
    times(40, () => ({ id: id(), name: name(), description: description(), ...stamps() })),
  )
  await insert(
    'team_members',
    teams.flatMap(({ id }) => some(userIds, 12).map((user_id) => ({ team_id: id, user_id }))),
  )
  await insert(
    'projects',
    times(90, (n) => ({
      id: [large, small, foreign][n] ?? id(),
      key: `P${n}`,
      name: name(),
      description: description(),
      status: pick(['active', 'active', 'archived']),
      owner_id: maybe(0.6, () => pick(userIds)),
      ...days(),
      ...stamps(),
      version: 1 + below(3),
    })),
  )
  for (const [project_id, size] of Object.entries(sizes)) await insertProject(insert, project_id, size, userIds, teams)
  return readBack(sql)
}

async function insertProject(
  insert: (table: string, list: Row[]) => Promise<Row[]>,
  project_id: string,
  size: number,
  userIds: string[],
  teams: Row[],
) {
  const many = (n: number, make: (n: number) => Row) =>
    times(Math.ceil(n * size), (at) => ({ project_id, ...make(at) }))
  const idsOf = (list: Row[]) => list.map(({ id }) => id as string)

  const members = await insert(
    'project_members',
    userIds
      .filter(() => chance(0.3 + size / 2))
      .map((user_id) => ({
        project_id,
        user_id,
        role: pick(['owner', 'admin', 'member', 'member', 'viewer']),
        joined_at: moment(),
        updated_at: moment(),
      })),
  )
  const memberIds = members.map(({ user_id }) => user_id as string)
  await insert(
    'project_teams',
    teams.filter(() => chance(0.7)).map(({ id }) => ({ project_id, team_id: id })),
  )
  const boards = await insert(
    'boards',
    many(40, () => ({
      id: id(),
      name: name(),
      description: description(),
      position: below(5) - 2,
      archived: chance(0.3),
      ...stamps(),
    })),
  )
  const boardIds = idsOf(boards.slice(0, 5))
  const stages = await insert(
    'stages',
    many(60, () => ({
      id: id(),
      board_id: pick(boardIds),
      name: name(),
      position: pick([-2_000_000_000, -1, 0, 1, 1, 2, 2_000_000_000]),
      category: pick(['backlog', 'active', 'done']),
      wip_limit: maybe(0.3, () => 1 + below(5)),
      ...stamps(),
    })),
  )
  const someStages = stages.slice(0, 8)

  await insert(
    'fields',
    Object.entries(typesIn(project_id)).map(([name, type]) => ({ project_id, name, type })),
  )
  const taskIds = times(Math.ceil(320 * size), id)
  await insert(
    'tasks',
    taskIds.map((id, n) => {
      const state = pick(['open', 'open', 'completed', 'cancelled'])
      const stage = maybe(0.7, () => pick(someStages))
      return {
        project_id,
        id,
        number: n % 3 === 0 ? 1000 + n : null,
        title: text(3),
        description: description(),
        state,
        description_format: maybe(0.3, () => pick(['text', 'markdown'])),
        type: maybe(0.6, () => pick(['bug', 'story', 'user story'])),
        priority: pick(['none', 'low', 'medium', 'high', 'urgent']),
        board_id: stage?.['board_id'] ?? maybe(0.3, () => pick(boardIds)),
        stage_id: stage?.['id'] ?? null,
        parent_id: n === 0 ? null : maybe(0.4, () => taskIds[below(Math.min(n, 6))]!),
        assignee_id: null,
        assignee_ids: maybe(0.7, () => some(memberIds.slice(0, 6), pick([1, 1, 3]))),
        creator_id: maybe(0.8, () => pick(userIds.slice(0, 6))),
        ...days(),
        estimate_seconds: maybe(0.5, () => below(5) * 900),
        fields: maybe(0.6, () => ownFields(project_id)),
        completed_at: state === 'completed' ? moment() : null,
        cancelled_at: state === 'cancelled' ? moment() : null,
        external_id: maybe(0.4, () => `${pick(['a', 'A', 'é'])}/b#${n}`),
        ...stamps(),
        version: 1 + below(3),
      }
    }),
  )
  const tags = await insert(
    'tags',
    [
      'Bug',
      'İş',
      'ışık',
      'two words',
      'a&b',
      "o'clock",
      '50%',
      'Ёлка',
      '設計',
      'none',
      'null',
      '"q"',
      'back\\slash',
      '{}',
    ].map((tag) => ({
      project_id,
      id: id(),
      name: tag,
      color: maybe(0.5, () => pick(['#00ff00', '#123abc'])),
    })),
  )
  await insert(
    'task_tags',
    taskIds.flatMap((task_id) => some(idsOf(tags), 3).map((tag_id) => ({ project_id, task_id, tag_id }))),
  )
  await insert(
    'task_watchers',
    taskIds.flatMap((task_id) => some(memberIds.slice(0, 8), 3).map((user_id) => ({ project_id, task_id, user_id }))),
  )

  const busy = taskIds.slice(0, 12)
  const comments = await insert(
    'comments',
    many(260, () => ({
      id: id(),
      task_id: pick(busy),
      author_id: maybe(0.8, () => pick(userIds.slice(0, 8))),
      body: text(12),
      ...stamps(),
    })),
  )
  await insert(
    'files',
    comments.flatMap((comment) =>
      times(pick([0, 0, 0, 1, 2, 3]), () => ({
        project_id,
        id: id(),
        task_id: comment['task_id'],
        comment_id: comment['id'],
        creator_id: maybe(0.5, () => pick(userIds.slice(0, 8))),
        name: text(2),
        mime_type: pick(['image/png', 'text/plain; charset=utf-8'.replace(' ', '')]),
        size_bytes: pick([0, 1, 4_294_967_296]),
        sha256: maybe(0.8, () => below(16).toString(16).repeat(64)),
        url: `https://files.example.org/${below(1000)}?a=1&b="2"`,
        ...stamps(),
      })),
    ),
  )
  await insert(
    'files',
    many(80, () => ({
      id: id(),
      task_id: pick(busy),
      creator_id: maybe(0.7, () => pick(userIds.slice(0, 8))),
      name: text(2),
      mime_type: 'image/png',
      size_bytes: maybe(0.5, () => below(9_999)),
      sha256: maybe(0.5, () => below(16).toString(16).repeat(64)),
      url: 'https://files.example.org/',
      ...stamps(),
    })),
  )
  await insert(
    'time_entries',
    many(260, () => {
      const spent = day()
      const timed = chance(0.85)
      const started = timed ? moment() : `${spent}T00:00:00.000Z`
      const ended = () => new Date(Date.parse(started) + 1 + below(4) * 1799).toISOString()
      return {
        id: id(),
        task_id: maybe(0.85, () => pick(busy)),
        user_id: pick(userIds.slice(0, 8)),
        description: description(),
        spent_on: spent,
        started_at: started,
        ended_at: timed ? maybe(0.85, ended) : ended(),
        timed,
        billable: chance(0.5),
        ...stamps(),
      }
    }),
  )
  await insert(
    'documents',
    many(200, (n) => ({
      id: id(),
      path: `${pick(['docs/', 'Docs/', 'docs/a_b/', 'docs/axb/', '100%/', 'заметки/', 'a\\b/', ''])}${pick(['readme', 'Readme', '設計', 'z', '🚀', '\uff21'])}-${n}.md`,
      title: text(2),
      task_id: maybe(0.5, () => pick(busy)),
      author_id: maybe(0.7, () => pick(userIds.slice(0, 8))),
      markdown: pick([
        '',
        '# One\n\ntwo three\n',
        `# ${pick(words)}\n\n## B "b"\n\n${text(9)}`,
        'no heading',
        'Under\n=====\n\n- x\n',
      ]),
      ...stamps(),
      revision: 1 + below(3),
    })),
  )
}

async function readBack(sql: Sql): Promise<Tables> {
  const tables: Tables = {}
  for (const table of [
    'users',
    'teams',
    'team_members',
    'projects',
    'project_members',
    'project_teams',
    'boards',
    'stages',
    'tasks',
    'tags',
    'task_tags',
    'task_watchers',
    'comments',
    'files',
    'time_entries',
    'documents',
  ]) {
    tables[table] = [...(await sql`select * from ${sql(`workgate.${table}`)}`)]
  }
  return tables
}
