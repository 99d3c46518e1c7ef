// Walks from page to page while other clients insert, delete and update rows. Every row that exists throughout, and
// whose place does not change, appears exactly once. The oracle walks through the lists with the same kinds of sorts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { rounds } from '../support/environment.ts'
import { random } from '../support/random.ts'

const project = '00000000-0000-7000-8003-000000000001'
const rows = 120
const walksEach = rounds(1, 4)

const { workgate, key } = await contractSuite()

/** Makes SQL for a number from 0 to 1 that differs by text and by statement. Citus has no random() for single rows. */
const chance = (text: string) => `((hashtext(${text} || 'SALT') + 2147483648) / 4294967296.0)`
const byChance = `order by hashtext(id::text || 'SALT')`

// There are few different times, names and positions, so most rows tie with others, down to the millisecond.
await workgate.sql.unsafe(`
  insert into workgate.projects (id, key, name, created_at, updated_at)
  values ('${project}', 'WALK', 'walk', '2026-01-01', '2026-01-01');
  insert into workgate.projects (key, name, created_at, updated_at)
  select 'P' || n, 'Name ' || n % 7, timestamp '2026-01-01' + n % 5 * interval '1 millisecond', timestamp '2026-01-01' + n % 3 * interval '1 hour'
  from generate_series(1, ${rows}) n;
  insert into workgate.users (name, email) select case n % 3 when 0 then 'Ann' when 1 then 'ann' else 'Bö' || n % 4 end, n || '@example.org'
  from generate_series(1, ${rows}) n;
  insert into workgate.project_members (project_id, user_id, joined_at)
  select '${project}', id, timestamp '2026-01-01' + length(email) * interval '1 millisecond' from workgate.users;
  insert into workgate.tags (project_id, name) values ('${project}', 'tag');
  insert into workgate.tasks (project_id, title, state, priority, due_date, completed_at, created_at, updated_at)
  select '${project}', 'Task', case when n % 2 = 0 then 'completed' else 'open' end, (enum_range(null::workgate.priority))[1 + n % 5],
    case when n % 3 > 0 then date '2026-01-01' + n % 4 end, case when n % 2 = 0 then timestamp '2026-01-01' + n % 7 * interval '1 millisecond' end,
    timestamp '2026-01-01' + n % 5 * interval '1 millisecond', timestamp '2026-01-01' + n % 6 * interval '1 millisecond'
  from generate_series(1, ${rows}) n;
  -- Tasks and time entries of other projects, which have the same ids there.
  insert into workgate.tasks (project_id, id, title, description, due_date, created_at, updated_at)
  select p.id, ('00000000-0000-7000-8006-' || lpad(n::text, 12, '0'))::uuid, 'Task', 'elsewhere', case when n % 3 > 0 then date '2026-01-01' + n % 4 end,
    timestamp '2026-01-01' + n % 5 * interval '1 millisecond', timestamp '2026-01-01' + n % 6 * interval '1 millisecond'
  from (select id from workgate.projects where key like 'P%' order by key limit 8) p, generate_series(1, 10) n;
  insert into workgate.time_entries (project_id, id, task_id, user_id, description, spent_on, started_at, updated_at)
  select project_id, id, id, (select min(user_id::text)::uuid from workgate.project_members), 'elsewhere', '2026-01-01', created_at, updated_at
  from workgate.tasks where description = 'elsewhere';
  insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, updated_at)
  select t.project_id, t.id, m.user_id, date '2026-01-01' + n % 4, timestamp '2026-01-01' + n % 5 * interval '1 millisecond', timestamp '2026-01-01' + n % 3 * interval '1 hour'
  from (select * from workgate.tasks where project_id = '${project}' order by number limit 1) t, (select min(user_id::text)::uuid as user_id from workgate.project_members) m, generate_series(1, ${rows}) n;
`)

interface Walk {
  path: string
  /** Returns what identifies an item; by default its id. */
  idOf?: (item: Record<string, string>) => string
  sorts: string[]
  /** Selects the ids of rows that stay in their place during the walk. */
  stable: string
  /** Statements that other clients run during the walk, each time with another SALT. */
  disturb: string[]
}

const ofProjects: Pick<Walk, 'stable' | 'disturb'> = {
  stable: `select id from workgate.projects where key ~ '^(P|WALK)' and description is null`,
  disturb: [
    `insert into workgate.projects (key, name, description, created_at, updated_at)
     select 'XSALT' || n, 'Name ' || n, 'new', timestamp '2026-01-01' + n * interval '1 millisecond', '2026-01-01' from generate_series(0, 5) n`,
    `delete from workgate.projects where id in (select id from workgate.projects where description = 'new' ${byChance} limit 3)`,
    `update workgate.projects set name = 'Name ' || floor(${chance('id::text')} * 9)::text where description = 'new'`,
    `update workgate.project_members set role = case role when 'member' then 'viewer' else 'member' end where project_id = '${project}' and ${chance('user_id::text')} < 0.1`,
    `insert into workgate.documents (project_id, path, title, markdown)
     select id, 'SALT', 'new', '' from workgate.projects where description = 'new' ${byChance} limit 3`,
  ],
}

const disturbTasks = [
  `insert into workgate.tasks (project_id, title, description, priority, due_date, created_at, updated_at)
       select '${project}', 'Task', 'new', (enum_range(null::workgate.priority))[1 + n], case when n > 2 then date '2026-01-01' + n end,
         timestamp '2026-01-01' + n * interval '1 millisecond', timestamp '2026-01-01' + n * interval '1 millisecond' from generate_series(0, 4) n`,
  `delete from workgate.tasks where id in (select id from workgate.tasks where description = 'new' ${byChance} limit 2)`,
  `update workgate.tasks set state = 'completed', due_date = '2026-01-03', priority = 'medium' where description = 'new' and ${chance('id::text')} < 0.3`,
  `insert into workgate.task_tags (project_id, task_id, tag_id) select project_id, t.id, g.id from workgate.tasks t join workgate.tags g using (project_id)
   where t.description = 'new' and ${chance('t.id::text')} < 0.3 on conflict do nothing`,
]

const disturbTimeEntries = [
  `insert into workgate.time_entries (project_id, task_id, user_id, description, spent_on, started_at)
       select project_id, task_id, user_id, 'new', date '2026-01-01' + n, timestamp '2026-01-01' + n * interval '1 millisecond'
       from (select * from workgate.time_entries where project_id = '${project}' limit 1) t, generate_series(0, 4) n`,
  `delete from workgate.time_entries where id in (select id from workgate.time_entries where description = 'new' ${byChance} limit 2)`,
  `update workgate.time_entries set spent_on = spent_on + 1, started_at = (started_at at time zone 'UTC' - interval '1 hour') at time zone 'UTC'
   where description = 'new' and ${chance('id::text')} < 0.5`,
]

const walks: Walk[] = [
  { path: '/projects', sorts: ['createdAt', 'name', 'updatedAt'], ...ofProjects },
  { path: '/projects/summary', idOf: ({ projectId }) => projectId!, sorts: ['lastActivityAt', 'name'], ...ofProjects },
  {
    path: `/projects/${project}/users`,
    sorts: ['name', 'joinedAt'],
    stable: `select user_id as id from workgate.project_members where project_id = '${project}' and role <> 'admin'`,
    disturb: [
      `with u as (insert into workgate.users (name, email) select 'Ann', gen_random_uuid() || '@example.org' from generate_series(1, 4) returning id)
       insert into workgate.project_members (project_id, user_id, role, joined_at) select '${project}', id, 'admin', timestamp '2026-01-01' + ${chance('id::text')} * interval '10 millisecond' from u`,
      `delete from workgate.project_members where user_id in (select user_id from workgate.project_members where role = 'admin' order by hashtext(user_id::text || 'SALT') limit 2)`,
      `update workgate.users set active = not active where ${chance('id::text')} < 0.2`,
    ],
  },
  {
    path: `/projects/${project}/tasks`,
    sorts: ['createdAt', 'updatedAt', 'dueDate', 'priority', 'number', 'completedAt'],
    stable: `select id from workgate.tasks where description is null`,
    disturb: disturbTasks,
  },
  {
    path: '/tasks',
    idOf: ({ projectId, id }) => `${projectId} ${id}`,
    sorts: ['createdAt', 'updatedAt', 'dueDate'],
    stable: `select project_id || ' ' || id as id from workgate.tasks where description is null or description = 'elsewhere'`,
    disturb: [
      ...disturbTasks,
      `insert into workgate.tasks (project_id, title, description, created_at, updated_at)
       select id, 'Task', 'new', timestamp '2026-01-01' + interval '2 millisecond', timestamp '2026-01-01' + interval '3 millisecond'
       from workgate.projects where key like 'P%' ${byChance} limit 9`,
    ],
  },
  {
    path: '/time-entries',
    idOf: ({ projectId, id }) => `${projectId} ${id}`,
    sorts: ['startedAt', 'updatedAt'],
    stable: `select project_id || ' ' || id as id from workgate.time_entries where description is null or description = 'elsewhere'`,
    disturb: [
      ...disturbTimeEntries,
      `insert into workgate.time_entries (project_id, task_id, user_id, description, spent_on, started_at)
       select project_id, task_id, user_id, 'new', '2026-01-01', timestamp '2026-01-01' + interval '2 millisecond'
       from workgate.time_entries where description = 'elsewhere' ${byChance} limit 9`,
    ],
  },
  {
    path: `/projects/${project}/time-entries`,
    sorts: ['startedAt', 'spentOn', 'updatedAt'],
    stable: `select id from workgate.time_entries where description is null`,
    disturb: disturbTimeEntries,
  },
]

let disturbances = 0

for (const { path, idOf = ({ id }: Record<string, string>) => id!, sorts, stable, disturb } of walks) {
  describe(path.replace(project, ':projectId'), () => {
    for (const sort of sorts.flatMap((name) => [name, `-${name}`])) {
      test(`by ${sort}: rows that stay in place appear exactly once`, async () => {
        const next = random(sort.length * 7919)
        for (let walk = 0; walk < walksEach; walk++) {
          const expected = (await workgate.sql.unsafe(stable)).map((row) => row['id'] as string)
          assert.ok(expected.length >= rows)
          const seen: string[] = []
          let cursor: string | null = null
          let pages = 0
          do {
            const limit = 1 + Math.floor(next() * 60)
            const { status, body } = await workgate.send(
              `GET ${path}?sort=${sort}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`,
              { key },
            )
            assert.equal(status, 200)
            assert.equal(body.meta.hasMore, body.meta.nextCursor !== null)
            assert.ok(body.data.length <= limit)
            seen.push(...body.data.map(idOf))
            cursor = body.meta.nextCursor
            // A changed row moves to the end of a sort by updatedAt, so the walk would not end while the changes go on.
            if (++pages <= 30) {
              const statement = disturb[Math.floor(next() * disturb.length)]!
              await workgate.sql.unsafe(statement.replaceAll('SALT', String(++disturbances)))
            }
          } while (cursor !== null)
          const wanted = new Set(expected)
          assert.deepEqual(seen.filter((id) => wanted.has(id)).sort(), expected.sort())
        }
      })
    }
  })
}
