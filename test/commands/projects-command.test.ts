// workgate projects, run from the artifact.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertData, web } from '../support/data.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { command } from '../support/workgate.ts'

const { url, sql } = await suiteDatabase(async (sql) => {
  await insertData(sql)
  // The figures of only some rows are compacted.
  await sql`select workgate.compact_tallies(id) from workgate.projects`
  await sql`insert into workgate.tasks (project_id, title, state, completed_at) values (${web}, 'x', 'completed', now())`
})
const empty = await suiteDatabase()

const projects = (...args: string[]) => command(['projects', ...args], { DATABASE_URL: url })

interface Row {
  key: string
  openTasks: number
  completedTasks: number
  members: number
}

test('lists keys, names and counts, ordered by key', async () => {
  const counted = await sql<Row[]>`
    select
      p.key,
      (select count(*) from workgate.tasks where project_id = p.id and state = 'open')::integer as "openTasks",
      (select count(*) from workgate.tasks where project_id = p.id and state = 'completed')::integer as "completedTasks",
      (select count(*) from workgate.project_members where project_id = p.id)::integer as members
    from workgate.projects p
    order by p.key`
  const rows = JSON.parse((await projects('--json')).out) as (Row & { id: string; name: string; status: string })[]
  assert.deepEqual(
    rows.map(({ key, openTasks, completedTasks, members }) => ({ key, openTasks, completedTasks, members })),
    [...counted],
  )
  const { openTasks, completedTasks, members, ...site } = rows.find(({ key }) => key === 'WEB')!
  assert.deepEqual(site, { key: 'WEB', id: web, name: 'Web site', status: 'active' })
  assert.ok(openTasks > 0 && completedTasks > 0 && members > 0)

  const { code, out, err } = await projects()
  assert.deepEqual([code, err], [0, ''])
  const lines = out.split('\n')
  assert.equal(lines.length, 4)
  assert.match(lines[0]!, /^KEY  STATUS    OPEN TASKS  COMPLETED  MEMBERS  NAME$/)
  assert.equal(
    lines[3],
    `WEB  active    ${String(openTasks).padEnd(10)}  ${String(completedTasks).padEnd(9)}  ${String(members).padEnd(7)}  Web site`,
  )
})

test('a name cannot control the terminal', async () => {
  const name = 'a\x1b[2J\nb\u202ec'
  await sql`update workgate.projects set name = ${name} where key = 'APP'`
  assert.match((await projects()).out, /^APP [^\n]* a\\u001b\[2J\\u000ab\\u202ec$/m)
  const { out } = await projects('--json')
  assert.ok(!out.includes('\u202e'))
  assert.equal(JSON.parse(out)[0].name, name)
})

test('an empty database says how to fill it', async () => {
  const environment = { DATABASE_URL: empty.url }
  const program = 'DATABASE_URL=… node dist/workgate.mjs'
  const { code, out } = await command(['projects'], environment)
  const advice = `Load demo data with "${program} demo", or your own with "${program} import FILE".`
  assert.deepEqual([code, out], [0, `There are no projects. ${advice}`])
  assert.equal((await command(['projects', '--json'], environment)).out, '[]')
})
