// Work packets, and names in paths, use only indexes: with statistics, and without, as after a bulk load.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { query } from '../../../src/db/statements/query.ts'
import { verifyTasks } from '../../../src/resources/work-packets/verify-work-packets.ts'
import { packetQuery } from '../../../src/resources/work-packets/packet.ts'
import { idOf, idSql as id, planSuite } from './plan-suite.ts'
import versions from '../../../sql/freshness/versions.sql'

const project = idOf('003', 1)

const rows = `from (values ('${project}'::uuid), ('${idOf('003', 2)}'::uuid)) p (id), generate_series(1, 5000) n`
const { sql, explain } = await planSuite(
  `
    insert into workgate.users (id, name, email) select ${id('001', 'n')}, n, n || '@example.org' from generate_series(1, 5000) n;
    insert into workgate.projects (id, key, name) select ${id('003', 'n')}, 'P' || n, n from generate_series(1, 2000) n;
    insert into workgate.project_members (project_id, user_id) select ${id('003', 'p')}, u.id from generate_series(1, 2) p, workgate.users u;
    insert into workgate.boards (project_id, id, name) select p.id, ${id('004', 'n')}, n ${rows} where n <= 1000;
    insert into workgate.stages (project_id, id, board_id, name, category) select project_id, id, id, 'x', 'done' from workgate.boards;
    insert into workgate.tags (project_id, id, name) select p.id, ${id('010', 'n')}, n ${rows} where n <= 1000;
    insert into workgate.tasks (project_id, id, number, title, board_id, stage_id, parent_id)
    select p.id, ${id('006', 'n')}, n, n, ${id('004', '1 + n % 1000')}, ${id('004', '1 + n % 1000')}, case when n > 4 then ${id('006', 'n / 4')} end ${rows};
    insert into workgate.task_history (project_id, task_id, version, channel, actor, changes)
    select project_id, id, version, 'sql', '{}', '{}' from workgate.tasks;
    insert into workgate.task_tags select p.id, ${id('006', 'n')}, ${id('010', '1 + n % 1000')} ${rows};
    insert into workgate.task_watchers select p.id, ${id('006', 'n')}, ${id('001', '1 + n % 5000')} ${rows};
    insert into workgate.comments (project_id, id, task_id, body) select p.id, ${id('007', 'n')}, ${id('006', 'n')}, n ${rows};
    insert into workgate.files (project_id, task_id, comment_id, name, mime_type, size_bytes, sha256, url)
    select p.id, ${id('006', 'n')}, ${id('007', 'n')}, 'f', 'a/b', 1, repeat('0', 64), 'https://u' ${rows};
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at)
    select p.id, ${id('006', 'n')}, ${id('001', '1 + n % 5000')}, '2026-01-01', '2026-01-01' ${rows};
    insert into workgate.documents (project_id, path, title, markdown, task_id) select p.id, n, n, '', ${id('006', 'n')} ${rows};
    insert into workgate.journal (scope, kind, id, event, at, channel, actor, number, version)
    select p.id, 'task', ${id('006', 'n')}, 'deleted', now(), 'sql', '{}', n, 1 ${rows};
`,
  '',
)

for (const statistics of ['without statistics', 'with statistics']) {
  describe(statistics, () => {
    before(async () => {
      if (statistics === 'with statistics') await sql`analyze`
    })

    test('the records of a task are found by the task', async () => {
      const plan = await explain(packetQuery, { projectId: project, taskId: idOf('006', 1) })
      assert.doesNotMatch(plan, /Seq Scan/, plan)
      for (const index of [
        'tasks_by_parent',
        'comments_by_task',
        'files_by_task',
        'documents_by_task',
        'time_entries_by_task',
        'task_history_pkey',
        'task_tags_pkey',
        'task_watchers_pkey',
      ]) {
        assert.match(plan, new RegExp(`${index} .*\\n +Index Cond: \\(\\(project_id = \\$\\d\\) AND \\(\\w+ = `), index)
      }
      assert.match(plan, /Index Scan Backward using journal_by_object .*\n +Index Cond: \(\(scope = \$\d\) AND \(id = /)
    })

    const given = {
      state: 'open',
      parentId: 'P1-7',
      hasTag: 'a',
      hasWatcher: 'b',
      minComments: 1,
      commentBy: 'c',
      fileSha256: 'd',
    }
    const more = {
      minTimeSeconds: 1,
      documentPath: 'e',
      documentSha256: 'f',
      changedBy: 'g',
      claimedBy: 'h',
      minVersion: 1,
    }
    test('a hundred tasks and all that is expected of them are found by their indexes', async () => {
      const names = Array.from({ length: 100 }, (_, n) => String(n + 1))
      const plan = await explain(verifyTasks, { projectId: project, names, externalIds: ['x', 'y'], ...given, ...more })
      assert.doesNotMatch(plan, /Seq Scan|(Hash|Merge).* Join/, plan)
      for (const [index, column] of Object.entries({
        tasks_pkey: 'id',
        tasks_external_id_taken: 'external_id',
        tasks_number_taken: 'number',
      }))
        assert.match(
          plan,
          new RegExp(`${index} on .*\\n +Index Cond: \\(\\(project_id = \\$\\d\\) AND \\(${column} = `),
        )
    })

    for (const count of [1, 2_000]) {
      test(`the names in ${count} paths are found by their indexes`, async () => {
        const names = Array.from({ length: count }, (_, n) => (n % 2 ? `//P1/${n}` : `/${project}/P1/${n}`))
        const plan = await explain(query(versions), { scopes: [project], names }, 'costs off', 'generic')
        assert.match(plan, /projects_key_taken on projects.*\n +Index Cond: \(key = /, plan)
        assert.doesNotMatch(plan, /Seq Scan|(Hash|Merge).* Join/, plan)
      })
    }

    test('a task is found by the index of its number', async () => {
      const [scans] = await sql.begin(async (session) => {
        await session.unsafe(`select workgate.task_with_number('${project}', n) from generate_series(1, 10) n`)
        return session.unsafe(`
          select seq_tup_read = 0 and idx_tup_fetch between 10 and 20 as by_index from pg_stat_xact_user_tables
          where relid = 'workgate.tasks'::regclass`)
      })
      assert.equal(scans?.by_index, true)
    })
  })
}
