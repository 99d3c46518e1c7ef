// Sort values that are null: last in both directions, and walked past like any other. No list of today has one; the
// machinery is tried on a list of the test's own, by the due dates of tasks.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { listOf, ofProject } from '../../src/lists/list.ts'
import { random } from '../support/random.ts'
import { freshDatabase, type Sql } from '../support/workgate.ts'

const rows = `
  select t.id, t.due_date::text as position, json_build_object('id', t.id, 'dueDate', t.due_date)::text as item
  from workgate.tasks t
  where t.project_id = :projectId::uuid
    and case when :afterId::uuid is null then true else
      case :sort::text
        when 'dueDate' then (coalesce(t.due_date, 'infinity'), t.id) > (coalesce(:after::text::date, 'infinity'), :afterId)
        when '-dueDate' then (coalesce(t.due_date, '-infinity'), t.id) < (coalesce(:after::text::date, '-infinity'), :afterId)
      end
    end
  order by
    case when :sort = 'dueDate' then coalesce(t.due_date, 'infinity') end,
    case when :sort = '-dueDate' then coalesce(t.due_date, '-infinity') end desc,
    case when :sort like '-%' then t.id end desc,
    t.id
  limit :limit::integer + 1`

const tasks = listOf({
  rows,
  sorts: { dueDate: 'moment' },
  defaultSort: 'dueDate',
  filters: {},
  scope: ofProject,
})

const projectId = '00000000-0000-7000-8003-000000000001'
let database: Awaited<ReturnType<typeof freshDatabase>>
let sql: Sql
let db: Database

before(async () => {
  database = await freshDatabase()
  sql = database.sql
  db = openDatabase({ target: { url: database.url }, poolSize: 2, statementTimeoutMs: 10_000 })
  await sql`insert into workgate.projects (id, key, name) values (${projectId}, 'NULLS', 'x')`
  await sql`
    insert into workgate.tasks (project_id, title, due_date)
    select ${projectId}, 'x', case when n % 3 > 0 then date '2026-01-01' + n % 5 end from generate_series(1, 150) n`
})
after(async () => {
  await db.close()
  await database.drop()
})

async function walk(sort: string, limit: () => number, meanwhile: () => Promise<unknown>) {
  const seen: { id: string; dueDate: string | null }[] = []
  let cursor: string | undefined
  do {
    const query = { sort, limit: limit(), ...(cursor && { cursor }) }
    const input = {
      key: undefined as never,
      projectId,
      path: '/tasks',
      params: {},
      query: query as never,
      body: undefined as never,
      headers: {},
    }
    const { data, meta } = JSON.parse((await tasks.handle(input, { db })).body)
    seen.push(...data)
    cursor = meta.nextCursor ?? undefined
    await meanwhile()
  } while (cursor)
  return seen
}

describe('a sort with null values', () => {
  for (const sort of ['dueDate', '-dueDate']) {
    test(`${sort}: nulls come last, and each row once, whatever the size of the pages`, async () => {
      const direction = sort.startsWith('-') ? 'desc' : 'asc'
      const expected = await sql.unsafe(
        `select id from workgate.tasks where title = 'x' order by due_date ${direction} nulls last, id ${direction}`,
      )
      const next = random(sort.length)
      for (let n = 0; n < 8; n++) {
        const seen = await walk(
          sort,
          () => 1 + Math.floor(next() * 40),
          async () => {
            await sql`insert into workgate.tasks (project_id, title, due_date) select ${projectId}, 'new', case when random() < 0.5 then date '2026-01-03' end`
            await sql`delete from workgate.tasks where id in (select id from workgate.tasks where title = 'new' order by random() limit 1)`
          },
        )
        const stable = new Set(expected.map((row) => row['id'] as string))
        assert.deepEqual(
          seen.map(({ id }) => id).filter((id) => stable.has(id)),
          expected.map((row) => row['id']),
        )
        const firstNull = seen.findIndex(({ dueDate }) => dueDate === null)
        assert.ok(seen.slice(firstNull).every(({ dueDate }) => dueDate === null))
      }
    })
  }
})
