// Compares a Citus cluster of a coordinator and two workers with one server, both on this machine and with the same data:
// the CPU time of PostgreSQL for each request, and the share of each node.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Headers } from '../../src/api/responses/response.ts'
import { distributeDatabase } from '../../src/commands/distribute/distribute-database.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { untracked } from '../../src/runtime/progress.ts'
import { startCitus, type CitusCluster } from '../support/citus.ts'
import { quiet } from '../support/log.ts'
import type { Server } from '../support/server.ts'
import { api, connect, type Sql } from '../support/workgate.ts'
import type { BenchRequest } from './bench-load.ts'
import { newPages, pageProject, projectCount, tasksOf, writtenProjects } from './bench-pages.ts'
import { startService, type Service } from './bench-service.ts'
import { fill } from './fill.ts'
import type { Part } from './part.ts'
import { serverSeconds } from './processes.ts'
import { race, ratio, type Figures } from './race.ts'
import { atMost, microseconds, perSecond, printTable, type Line } from './table.ts'

const connections = 16
/** As workgate distribute does by default. */
const shards = 32
const copied = 100_000
/** Each connection plans a statement once for each group of shards. */
const warmUpSeconds = 10
const database = 'bench'

interface Side {
  service: Service
  headers: Headers
  servers: readonly Server[]
  /** Connected to the server to which SQL is sent. */
  sql: Sql
  /** The paths of a task of each project. */
  tasks: readonly string[]
}

const get =
  (path: (n: number) => string) =>
  ({ headers }: Side) =>
    Array.from({ length: projectCount }, (_, n): BenchRequest => ({ method: 'GET', path: path(n + 1), headers }))
const body = JSON.stringify({ title: 'New' })

// Requests that wait for the same response are answered together, so those in a row are different.
// prettier-ignore
const requests: [name: string, mostTimes: number, requests: (side: Side) => BenchRequest[]][] = [
  ['50 tasks of a project',  1.5, ({ headers }) => newPages(headers, 5_000)],
  ['one task',               1.5, ({ headers, tasks }) => tasks.map((path) => ({ method: 'GET', path, headers }))],
  ['overview of a project',  1.5, get((n) => `${api}/projects/${pageProject(n)}/analytics/overview`)],
  ['GET /projects',          3,   get((n) => `${api}/projects?limit=${n}`)],
  ['GET /projects/summary',  3,   get((n) => `${api}/projects/summary?limit=${n}`)],
  ['create a task',          2,   ({ headers }) => writtenProjects.map((project) => ({ method: 'POST', path: tasksOf(project), headers, body }))],
]

export const benchCitus: Part = async ({ postgres, folder, sql, url, server, headers, load, rounds, taskCount }) => {
  const libraries = execFileSync(join(postgres, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' }).trim()
  if (!existsSync(join(libraries, 'citus.so'))) {
    console.log(`\nCitus is omitted; install it with test/ci/citus/build ${postgres}`)
    return
  }
  const cluster = await startCitus(postgres, { fsync: 'on', shared_buffers: '256MB' })
  const services: Service[] = []
  const clusterUrl = cluster.coordinator.url(database)
  const clusterSql = connect(clusterUrl, { max: 1 })
  const open = async (DATABASE_URL: string, sql: Sql, servers: readonly Server[], key: Headers): Promise<Side> => {
    const service = await startService(folder, { DATABASE_URL, CACHE_MB: '0' })
    services.push(service)
    return { service, sql, servers, headers: key, tasks: await findTasks(sql) }
  }
  try {
    const authorization = `Bearer ${await fillCluster(cluster, clusterSql, taskCount)}`
    const plain = await open(url, sql, [server], headers)
    const citus = await open(clusterUrl, clusterSql, cluster.servers, { authorization })
    const lines: Line[] = []
    for (const [name, most, requestsWith] of requests) {
      const send = (side: Side, seconds?: number) => load(side.service, connections, requestsWith(side), seconds)
      for (const side of [plain, citus]) await send(side, rounds > 1 ? warmUpSeconds : 1)
      lines.push(await compare(name, most, plain, citus, rounds, send))
    }
    lines.push(await compare(`COPY of ${copied} tasks`, 2, plain, citus, Math.min(rounds, 3), copy))
    printTable(`One server, and Citus with two workers and ${shards} shards, ${connections} connections`, [
      ['', 'one server', 'PostgreSQL', 'Citus', 'PostgreSQL', 'coordinator and workers', ''],
      ...lines,
    ])
  } finally {
    for (const service of services) await service.stop()
    await clusterSql.end({ timeout: 1 })
    await cluster.remove()
  }
}

/** Returns a key for all projects. */
async function fillCluster(cluster: CitusCluster, sql: Sql, taskCount: number): Promise<string> {
  await cluster.createDatabase(database)
  const url = cluster.coordinator.url(database)
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 600_000 })
  await migrate(db, migrations, quiet)
  await db.close()
  await fill(sql, taskCount, 874)
  await distributeDatabase({ url }, shards, untracked)
  await sql`vacuum analyze`
  const [row] = await sql`select workgate.issue_key('bench', 'all_projects') as key`
  return row!['key']
}

async function findTasks(sql: Sql): Promise<string[]> {
  const projects = Array.from({ length: projectCount }, (_, n) => pageProject(n + 1))
  const found = await sql`select project_id, id from workgate.tasks where number = 1 and project_id = any (${projects})`
  return found.map(({ project_id: project, id }) => `${tasksOf(project)}/${id}`)
}

async function compare(
  name: string,
  most: number,
  plain: Side,
  citus: Side,
  rounds: number,
  work: (side: Side) => Promise<Figures>,
): Promise<Line> {
  const measure = (side: Side) => async () => {
    const before = sum(await secondsOf(side))
    const figures = await work(side)
    return { ...figures, database: (sum(await secondsOf(side)) - before) / figures.responses! }
  }
  const before = await secondsOf(citus)
  const raced = await race(rounds, { plain: measure(plain), citus: measure(citus) })
  const used = (await secondsOf(citus)).map((seconds, n) => seconds - before[n]!)
  const times = ratio(raced.citus, raced.plain, (figures) => figures.database!)
  return [
    name,
    perSecond(raced.plain.rate),
    microseconds(raced.plain.database),
    perSecond(raced.citus.rate),
    microseconds(raced.citus.database),
    used.map((seconds) => `${Math.round((seconds / sum(used)) * 100)} %`).join(', '),
    `${times.toFixed(2)} times the CPU ${atMost(most.toFixed(1), times <= most)}`,
  ]
}

async function copy({ sql }: Side): Promise<Figures> {
  const started = performance.now()
  const stream = await sql`copy workgate.tasks (project_id, title) from stdin`.writable()
  for (let n = 0; n < copied; n++) stream.write(`${writtenProjects[n % writtenProjects.length]!}\tTask ${n}\n`)
  stream.end()
  await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject))
  return { rate: copied / ((performance.now() - started) / 1000), responses: copied }
}

const secondsOf = ({ servers }: Side) => Promise.all(servers.map((server) => serverSeconds(server.pid())))
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
