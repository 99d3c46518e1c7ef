// Compares writes with and without the triggers that record them, by the processor time of the connection's process.

import { connect, type Sql } from '../support/workgate.ts'
import type { Part } from './part.ts'
import { processorSeconds } from './processes.ts'
import { printTable, type Line } from './table.ts'

const singles = 2_000
const loaded = 100_000
const user = '019aa732-8fa0-7213-a9b4-43aead97aaaa'

const inProject = "(select id from workgate.projects where key = 'JOURNAL')"
const inTask = `${inProject}, (select id from workgate.tasks where project_id = ${inProject} and number = $1)`

interface Write {
  name: string
  /** $1 is the number of the statement. */
  statement: string
  times: number
  /** The objects that each statement writes. */
  objects: number
}

const single = { times: singles, objects: 1 }
// prettier-ignore
const writes: Write[] = [
  { name: 'create a task', statement: `insert into workgate.tasks (project_id, title, description) values (${inProject}, 'Title ' || $1::int, 'Some words about the task')`, ...single },
  { name: 'complete a task', statement: `update workgate.tasks set state = 'completed' where project_id = ${inProject} and number = $1`, ...single },
  { name: 'add a comment', statement: `insert into workgate.comments (project_id, task_id, body) values (${inTask}, 'Done, see the report')`, ...single },
  { name: 'add a time entry', statement: `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at) values (${inTask}, '${user}', '2026-01-01', '2026-01-01 10:00', '2026-01-01 11:00')`, ...single },
  { name: `COPY of ${loaded} tasks`, statement: 'COPY', times: 1, objects: loaded },
  { name: 'update of all of them', statement: `update workgate.tasks set priority = 'high' where project_id = ${inProject}`, times: 1, objects: loaded + singles },
  { name: 'deletion of the project', statement: "delete from workgate.projects where key = 'JOURNAL'", times: 1, objects: loaded + 3 * singles },
]

export const benchRecording: Part = async ({ sql, url, rounds }) => {
  await sql`insert into workgate.users (id, name) values (${user}, 'Journal') on conflict do nothing`
  const without = new Map<Write, number>()
  const recorded = new Map<Write, number>()
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    await enableRecording(sql, false)
    await measure(url, without)
    await enableRecording(sql, true)
    await measure(url, recorded)
  }
  const line = (write: Write): Line => {
    const [base, cost] = [without.get(write)!, recorded.get(write)!]
    const micros = (seconds: number) => `${((seconds / write.times / write.objects) * 1e6).toFixed(1)} µs`
    return [write.name, micros(base), micros(cost), `${(cost / base).toFixed(2)} times the CPU`]
  }
  const [size] = await sql`
    select round(pg_table_size('workgate.journal')::numeric / n) as rows, round(pg_indexes_size('workgate.journal')::numeric / n) as indexes
    from (select count(*) as n from workgate.journal) j`
  printTable('Writes without and with the triggers that record them, for each object', [
    ...writes.map(line),
    ['an entry takes', '', `${size!['rows']} bytes`, `and ${size!['indexes']} in indexes`],
  ])
}

async function enableRecording(sql: Sql, enable: boolean): Promise<void> {
  const triggers = await sql`
    select tgname as name, tgrelid::regclass::text as table from pg_trigger where tgname ~ '_record_on_(insert|update|delete)$'`
  for (const { name, table } of triggers)
    await sql.unsafe(`alter table ${table} ${enable ? 'enable' : 'disable'} trigger ${name}`)
}

/** Keeps the lowest seconds of each write. */
async function measure(url: string, seconds: Map<Write, number>): Promise<void> {
  const sql = connect(url, { max: 1 })
  await sql`insert into workgate.projects (key, name) values ('JOURNAL', 'Journal')`
  const [backend] = await sql`select pg_backend_pid() as pid`
  for (const write of writes) {
    const before = await processorSeconds(backend!['pid'])
    for (let n = 1; n <= write.times; n++)
      await (write.statement === 'COPY'
        ? copy(sql)
        : sql.unsafe(write.statement, write.statement.includes('$1') ? [n] : [], { prepare: true }))
    const taken = (await processorSeconds(backend!['pid'])) - before
    seconds.set(write, Math.min(taken, seconds.get(write) ?? Infinity))
    await sql.unsafe('vacuum analyze workgate.tasks')
  }
  await sql.end()
}

async function copy(sql: Sql): Promise<void> {
  const [project] = await sql`select id from workgate.projects where key = 'JOURNAL'`
  const stream = await sql`copy workgate.tasks (project_id, title, number) from stdin`.writable()
  for (let n = 1; n <= loaded; n++) stream.write(`${project!['id']}\tTask ${n}\t${singles + n}\n`)
  stream.end()
  await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject))
}
