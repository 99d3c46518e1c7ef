// Distributes a database over a real Citus cluster of a coordinator and two workers, and adds a worker.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { addWorker, onServer, portOf, startCitus } from '../../support/citus.ts'
import { id, insertData, web } from '../../support/data.ts'
import { withFindings } from '../../support/doctor.ts'
import { run } from '../../support/environment.ts'
import { atEnd } from '../../support/suite-database.ts'
import { valuesOf } from '../../support/values.ts'
import { command, connect, type Sql } from '../../support/workgate.ts'

const cluster = await startCitus(run().postgresBin!)
atEnd(cluster.remove)
const { coordinator } = cluster
const database = 'distributed'
const DATABASE_URL = coordinator.url(database)
/** Returns the lines of the report, without the ports of the nodes. */
async function distribute() {
  const { code, out, err } = await command(['distribute', '--shards', '8'], { DATABASE_URL })
  assert.equal(code, 0, err)
  const ports = cluster.servers.map(portOf)
  return out.replace(/127\.0\.0\.1:(\d+)/g, (_, port) => `node${ports.indexOf(Number(port))}`).split('\n')
}

await cluster.createDatabase(database)
await command(['migrate'], { DATABASE_URL })
const sql = connect(DATABASE_URL)
atEnd(() => sql.end({ timeout: 1 }))
await insertData(sql)
await sql`
  insert into workgate.projects (key, name) select 'MORE' || n, 'Project ' || n from generate_series(1, 40) n`
await sql`
  insert into workgate.tasks (project_id, title, estimate_seconds) select p.id, 'Task ' || n, n
  from workgate.projects p
  cross join generate_series(1, 5) n`

const tables = valuesOf(
  await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'workgate'::regnamespace and relkind = 'r' and relname not in ('freshness_marks', 'freshness_versions', 'journal')
    order by 1`,
  'name',
)

/** The rows of every table as text. */
async function contents(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const name of tables)
    found[name] = valuesOf(
      await sql.unsafe<{ row: string }[]>(`select t::text as row from workgate.${name} t`),
      'row',
    ).sort()
  return found
}

/** Runs a query in every place of every node. */
async function inPlaces<Row>(query: (place: string, sql: Sql) => Promise<readonly Row[]>): Promise<Row[]> {
  const found: Row[] = []
  for (const server of cluster.servers) {
    await onServer(server, database, async (sql) => {
      for (const { place } of await sql`select place from workgate_places.places where place <> 0`)
        found.push(...(await query(`workgate_place_${place}`, sql)))
    })
  }
  return found
}

/** Compares the tallies of every project with its rows. */
const wrongTallies = () =>
  inPlaces((place, sql) =>
    sql.unsafe(`select r.* from ${place}.projects_here p cross join lateral ${place}.recount(p.id, repair => false) r`),
  )

const folder = await mkdtemp(join(tmpdir(), 'workgate-distribute-'))
atEnd(() => rm(folder, { recursive: true }))
const saved = join(folder, 'saved')
await command(['backup', saved], { DATABASE_URL })
const rows = await contents()
const listProjects = () => command(['projects', '--json'], { DATABASE_URL })
const projects = await listProjects()
const report = await distribute()

describe('an existing database', () => {
  test('keeps every row', async () => {
    assert.deepEqual(await contents(), rows)
  })

  test('has each project on one worker', async () => {
    const [{ count }] = (await sql`select count(*)::int from workgate.projects`) as [{ count: number }]
    const shares = report.slice(3).map((line) => line.split(/ {2,}/))
    assert.deepEqual(report.slice(0, 2), ['The database is distributed by project now.', ''])
    assert.match(report[2]!, /^NODE +SHARDS +PROJECTS$/)
    assert.deepEqual(shares[0], ['node0 (coordinator)', '0', '0'])
    assert.deepEqual(
      shares.slice(1).map(([node, shards]) => `${node} ${shards}`),
      ['node1 4', 'node2 4'],
    )
    assert.equal(Number(shares[1]![2]) + Number(shares[2]![2]), count)
    const keys = valuesOf(
      await inPlaces((place, sql) => sql.unsafe<{ key: string }[]>(`select key from ${place}.projects_here`)),
      'key',
    )
    assert.deepEqual(
      keys.sort(),
      valuesOf(await sql<{ key: string }[]>`select key from workgate.projects`, 'key').sort(),
    )
  })

  test('has the same projects, tasks and members for the command projects', async () => {
    assert.equal(projects.code, 0, projects.err)
    assert.deepEqual(await listProjects(), projects)
  })

  test('is not changed by another run', async () => {
    assert.deepEqual(await distribute(), [
      'The database was distributed before, and every node is prepared.',
      ...report.slice(1),
    ])
  })
})

describe('commands that need all projects on one server are refused', () => {
  for (const [args, message] of [
    [['demo'], /^workgate: demo cannot fill a distributed database: fill a new one, and distribute that$/],
    [['import', 'package.json'], /^workgate: import cannot fill a distributed database: /],
    [['export', '-'], /^workgate: export cannot read a distributed database at one moment: /],
    [['restore', saved], /^workgate: restore cannot fill a distributed database: /],
    [['backup', '-'], /^workgate: backup cannot save a distributed database at one moment: /],
    [
      ['people', 'merge', 'a', 'b'],
      /^workgate: people merge cannot change a distributed database: it needs all projects on one server$/,
    ],
    [
      ['imports', 'undo', '1'],
      /^workgate: imports undo cannot change a distributed database: it needs all projects on one server$/,
    ],
  ] satisfies [string[], RegExp][])
    test(args[0]!, async () => {
      const { code, out, err } = await command(args, { DATABASE_URL })
      assert.match(err, message)
      assert.deepEqual({ code, out }, { code: 1, out: '' })
    })
})

test('people and imports are listed', async () => {
  const people = await command(['people'], { DATABASE_URL })
  assert.equal(people.code, 0, people.err)
  assert.equal(people.out.split('\n').length, Number((await sql`select count(*) from workgate.users`)[0]!['count']) + 1)
  const imports = await command(['imports'], { DATABASE_URL })
  assert.deepEqual([imports.code, imports.out], [0, 'There were no imports in the last 90 days.'])
})

/** The finding of the doctor about the cluster. */
async function examined(): Promise<string> {
  const { out } = await command(['doctor', '--json'], { DATABASE_URL })
  return withFindings(out)
    .line('cluster')
    .replace(/127\.0\.0\.1:\d+/g, 'node')
}

test('the doctor finds every node prepared', async () =>
  assert.equal(await examined(), 'ok: The projects are in 8 shards on 2 nodes, all prepared'))

describe('writes through the coordinator', () => {
  test('fire the triggers on the worker', async () => {
    const [task] = await sql`
      insert into workgate.tasks (project_id, title, priority) values (${web}, 'New', 'high'::text) returning id, number`
    assert.ok(task!['number'] > 3)
    await sql`update workgate.tasks set state = 'completed' where project_id = ${web} and id = ${task!['id']}`
    const history = await sql`
      select version, changes -> 'state' ->> 'to' as state from workgate.task_history
      where project_id = ${web} and task_id = ${task!['id']} order by version`
    assert.deepEqual(
      [...history],
      [
        { version: '1', state: 'open' },
        { version: '2', state: 'completed' },
      ],
    )
    await sql`update workgate.tasks set priority = 'low'`
    assert.deepEqual(await wrongTallies(), [])
  })

  test('to a table that every node has are the same on all of them', async () => {
    await sql`update workgate.projects set name = name || '!'`
    await sql`update workgate.users set name = name || '!'`
    const copies = await Promise.all(
      cluster.servers.map((server) =>
        onServer(server, database, async (sql) => {
          const [names] =
            await sql`select names ->> 'users' as users, names ->> 'projects' as projects from workgate_places.places where place = 0`
          return Promise.all(
            Object.values(names!).map((table) => sql.unsafe(`select updated_at, name from ${table} order by id`)),
          )
        }),
      ),
    )
    for (const copy of copies) assert.deepEqual(copy, copies[0])
  })

  test('of workgate projects show, change and delete a project', async () => {
    const projects = async (...args: string[]) => {
      const { code, out, err } = await command(['projects', ...args], { DATABASE_URL })
      assert.equal(code, 0, err)
      return out
    }
    const { tasks } = JSON.parse(await projects('show', 'more8', '--json')) as { tasks: object }
    assert.deepEqual(tasks, { open: 5, completed: 0, cancelled: 0 })
    await projects('archive', 'MORE8')
    await projects('due', 'MORE8', '2030-01-01')
    await projects('rename', 'MORE8', 'Eight', '--key', 'EIGHT')
    const [row] = await sql`select id, key, name, status, due_date::text from workgate.projects where key = 'EIGHT'`
    const { id, ...shown } = row!
    assert.deepEqual(shown, { key: 'EIGHT', name: 'Eight', status: 'archived', due_date: '2030-01-01' })
    const taken = await command(['projects', 'rename', 'EIGHT', '--key', 'MORE9'], { DATABASE_URL })
    assert.deepEqual([taken.code, taken.err], [2, 'workgate: another project has the new key'])
    assert.match(await projects('delete', 'EIGHT', '--yes'), / contains 5 tasks, /)
    assert.equal((await sql`select from workgate.tasks where project_id = ${id as string}`).length, 0)
  })

  test('that delete a project delete its contents and its tallies, and journal it on one node', async () => {
    const [project] = await sql`delete from workgate.projects where key = 'MORE7' returning id`
    for (const table of ['tasks', 'task_history', 'tallies', 'tally_deltas'])
      assert.equal(
        (await sql.unsafe(`select from workgate.${table} where project_id = $1`, [project!['id']])).length,
        0,
        table,
      )
    const entries = await Promise.all(
      cluster.servers.map((server) =>
        onServer(
          server,
          database,
          (sql) => sql`select kind, event from workgate.journal where id = ${project!['id']} and event = 'deleted'`,
        ),
      ),
    )
    assert.deepEqual(entries.flat(), [{ kind: 'project', event: 'deleted' }])
    assert.deepEqual(await wrongTallies(), [])
  })
})

test('truncating the time entries leaves no effort behind', async () => {
  const spend = () => sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select project_id, id, ${id('user', 1)}, '2026-01-01', '2026-01-01 10:00Z', '2026-01-01 11:00Z'
    from workgate.tasks`
  await sql`update workgate.tasks set estimate_seconds = 60, state = 'completed'`
  await spend()
  await inPlaces((place, sql) => sql.unsafe(`select ${place}.compact_tallies(id) from ${place}.projects_here`))
  await sql`truncate workgate.time_entries`
  assert.deepEqual(await wrongTallies(), [])
  await spend()
  assert.deepEqual(await wrongTallies(), [])
})

describe('a new worker', () => {
  before(() => addWorker(cluster, database))

  test('gets its functions and copies from another run', async () => {
    const lines = await distribute()
    assert.equal(lines[0], 'The database was distributed before. Prepared: node3.')
    assert.match(lines[6]!, /^node3 +0 +0$/)
    assert.equal(lines.at(-1), 'Move projects to nodes without shards: select citus_rebalance_start();')
  })

  test('refuses writes to a shard that has arrived until its triggers are there', async () => {
    // Drops the tables on the workers, and creates them again.
    await sql`select start_metadata_sync_to_all_nodes()`
    await sql`select rebalance_table_shards()`
    for (const statement of [`update workgate.tasks set title = title || '!'`, 'truncate workgate.documents'])
      await assert.rejects(sql.unsafe(statement), /has just come to this node, and has no triggers yet/)
    assert.equal(await examined(), 'fault: node has 2 shards without triggers.')
    // As a running service does.
    const settled = await Promise.all(
      cluster.servers.map((server) => onServer(server, database, (sql) => sql`select workgate_places.settle()`)),
    )
    assert.deepEqual(valuesOf(settled, 'length'), [0, 0, 0, 2])
    await sql`update workgate.tasks set title = title || '!', estimate_seconds = 5`
    await sql`insert into workgate.tasks (project_id, title) select id, 'New' from workgate.projects`
    assert.deepEqual(await wrongTallies(), [])
    const unnumbered = await sql`select from workgate.tasks where number is null`
    assert.equal(unnumbered.length, 0)
  })
})

test('the doctor names a worker that is stopped', async () => {
  await cluster.workers[0]!.stop()
  assert.match(await examined(), /^fault: node cannot be read: the database cannot be reached/)
})
