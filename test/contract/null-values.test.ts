// Null sort values come last in both directions, and cursors continue past them like any other value.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { random } from '../support/random.ts'

const project = '00000000-0000-7000-8003-000000000001'
const { workgate, key } = await contractSuite()

// A third of the tasks have no due date, half have no completion, and many tie.
await workgate.sql.unsafe(`
  insert into workgate.projects (id, key, name) values ('${project}', 'NULLS', 'x');
  insert into workgate.tasks (project_id, title, due_date, state, completed_at)
  select '${project}', 'x', case when n % 3 > 0 then date '2026-01-01' + n % 5 end,
    case when n % 2 > 0 then 'completed' else 'open' end, case when n % 2 > 0 then timestamp '2026-01-01' + n % 7 * interval '1 ms' end
  from generate_series(1, 150) n`)

async function walk(sort: string, limit: () => number): Promise<Record<string, string | null>[]> {
  const { sql } = workgate
  const seen = []
  let cursor = ''
  do {
    const path = `/projects/${project}/tasks?sort=${sort}&limit=${limit()}${cursor && `&cursor=${cursor}`}`
    const { status, body } = await workgate.send(`GET ${path}`, { key })
    assert.equal(status, 200)
    seen.push(...body.data)
    cursor = body.meta.nextCursor
    await sql`
      insert into workgate.tasks (project_id, title, due_date)
      select ${project}, 'new', case when random() < 0.5 then date '2026-01-03' end`
    await sql`
      delete from workgate.tasks
      where id in (select id from workgate.tasks where title = 'new' order by random() limit 1)`
  } while (cursor)
  return seen
}

for (const [field, column] of [
  ['dueDate', 'due_date'],
  ['completedAt', 'completed_at'],
] as const) {
  for (const [sort, direction] of [
    [field, 'asc'],
    [`-${field}`, 'desc'],
  ] as const) {
    test(`${sort}: nulls come last, and each row appears once, whatever the page size`, async () => {
      const expected = await workgate.sql.unsafe(
        `select id from workgate.tasks where title = 'x' order by ${column} ${direction} nulls last, id ${direction}`,
      )
      const next = random(sort.length)
      for (let n = 0; n < 6; n++) {
        const seen = await walk(sort, () => 1 + Math.floor(next() * 40))
        assert.deepEqual(
          seen.filter((task) => task['title'] === 'x').map((task) => task['id']),
          expected.map((row) => row['id']),
        )
        const firstNull = seen.findIndex((task) => task[field] === null)
        assert.ok(firstNull > 0 && seen.slice(firstNull).every((task) => task[field] === null))
      }
    })
  }
}
