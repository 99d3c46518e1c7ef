// npm run bench [-- --postgres FOLDER --tasks COUNT --seconds EACH --sizes 1000,1000000 --loaded COUNT]: figures of this build, as ratios of the same run.
// Prints a table; fails for no figure.
// Service, database and load share the machine, so only the ratios mean something. FOLDER holds the programs of a PostgreSQL
// with pgbench, /usr/lib/postgresql/15/bin unless said otherwise.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import type { Params, Query } from '../../src/db/query.ts'
import { pageQuery } from '../../src/lists/list.ts'
import { writeQuery } from '../../src/writes/write.ts'
import { quiet } from '../support/log.ts'
import { freePort, startServer } from '../support/server.ts'
import { api, connect, runArtifact } from '../support/workgate.ts'
import { benchAnalytics, type Line } from './analytics.ts'
import { fill } from './fill.ts'
import { load, type Ask } from './load.ts'
import { createPgbench } from './pgbench.ts'
import taskRows from '../../sql/tasks/tasks.sql'
import createTask from '../../sql/tasks/create-task.sql'

const clients = 16
const projectId = '00000000-0000-7000-8003-000000000001'

const { values } = parseArgs({
  options: {
    postgres: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
    tasks: { type: 'string', default: '120000' },
    seconds: { type: 'string', default: '5' },
    sizes: { type: 'string', default: '1000,10000,100000,1000000' },
    loaded: { type: 'string', default: '200000' },
  },
})
const taskCount = Number(values.tasks)
const seconds = Number(values.seconds)
const depth = Math.floor(taskCount / 1.2)
if (!existsSync(join(values.postgres, 'pgbench'))) {
  throw new Error(`There is no pgbench in ${values.postgres}. Install PostgreSQL, or name its folder with --postgres.`)
}
const folder = await mkdtemp(join(tmpdir(), 'workgate-bench-'))
const server = await startServer(values.postgres, { fsync: 'on', shared_buffers: '256MB', max_connections: '100' })
const url = server.url('postgres')
const lines: Line[] = []
let service: ChildProcess | undefined

try {
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 600_000 })
  await migrate(db, migrations, quiet)
  const sql = connect(url)
  await fill(sql, projectId, taskCount)
  const [row] = await sql`select workgate.issue_key('bench', 'all_projects') as key`

  const port = await freePort()
  const settings = { DATABASE_URL: url, PORT: String(port), RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' }
  service = runArtifact(['serve'], settings)
  const started = performance.now()
  const base = `http://127.0.0.1:${port}`
  while (!(await fetch(`${base}/readyz`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 5))
  lines.push(['start to first answer, migrated database', `${Math.round(performance.now() - started)} ms`, ''])

  const pgbench = createPgbench(values.postgres, url, folder, clients, seconds)
  const tasks = `${api}/projects/${projectId}/tasks`
  const headers = { authorization: `Bearer ${row!['key']}` }
  const get = (path: string): Ask => ({ method: 'GET', path, headers })
  const ofApi = (ask: () => Ask) => load(base, clients, seconds, ask)

  /** The API against the same statement, as often as it can be run without us. */
  async function compare(what: string, ask: () => Ask, statement: Query<unknown>, params: Params) {
    const bare = await pgbench.rate(statement, params)
    const served = await ofApi(ask)
    lines.push([what, `${Math.round(served)}/s`, `${(served / bare).toFixed(2)} of pgbench (${Math.round(bare)}/s)`])
    return { bare, served }
  }

  const page = pageQuery(taskRows)
  const absent = Object.fromEntries(page.statement.names.map((name) => [name, null]))
  const firstPage: Params = {
    ...absent,
    projectId,
    sort: '-createdAt',
    limit: 50,
    includeTags: false,
    includeWatchers: false,
  }
  const cursor = await cursorAt(depth, async (path) => (await fetch(`${base}${tasks}?${path}`, { headers })).json())
  const [, after, afterId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string, string]
  const deepPage: Params = { ...firstPage, after, afterId }

  const first = await compare('GET …/tasks, 50 of them', () => get(tasks), page, firstPage)
  const deep = await compare(`GET …/tasks, ${depth} rows deep`, () => get(`${tasks}?cursor=${cursor}`), page, deepPage)
  lines.push(['a deep page against the first', '', `${(first.bare / deep.bare).toFixed(2)} times the cost (${(first.served / deep.served).toFixed(2)} through the API)`]) // prettier-ignore
  const withAll: Params = { ...firstPage, includeTags: true, includeWatchers: true }
  await compare('GET …/tasks?include=tags,watchers', () => get(`${tasks}?include=tags,watchers`), page, withAll)
  const open: Params = { ...firstPage, state: ['open'], sort: 'dueDate' }
  await compare('GET …/tasks?state=open&sort=dueDate', () => get(`${tasks}?state=open&sort=dueDate`), page, open)
  const search: Params = { ...firstPage, q: 'word42' }
  await compare('GET …/tasks?q=word42', () => get(`${tasks}?q=word42`), page, search)
  const one: Params = { ...firstPage, id: afterId, sort: 'id', limit: 1 }
  await compare('GET …/tasks/:taskId', () => get(`${tasks}/${afterId}`), page, one)

  const create = writeQuery(createTask)
  const nothing = Object.fromEntries(create.statement.names.map((name) => [name, null]))
  const newTask: Params = {
    ...nothing,
    projectId,
    recordsOf: projectId,
    keyId: 'bench',
    keyName: 'bench',
    operation: 'create_task',
    status: 201,
    title: 'New',
    priority: 'none',
    tags: [],
    watcherIds: [],
    requestHash: '00',
  }
  const body = JSON.stringify({ title: 'New' })
  await compare('POST …/tasks', () => ({ method: 'POST', path: tasks, headers, body }), create, newTask)
  const toDo = await sql`select id from workgate.tasks where project_id = ${projectId} and state = 'open'`
  const completed = await ofApi(() => ({ method: 'POST', path: `${tasks}/${toDo.pop()!['id']}/complete`, headers }))
  lines.push(['POST …/tasks/:taskId/complete', `${Math.round(completed)}/s`, ''])
  lines.push([
    'GET /key: the check of the key and HTTP alone',
    `${Math.round(await ofApi(() => get(`${api}/key`)))}/s`,
    '',
  ])

  const alone = (path: string) => load(base, 1, Math.min(seconds, 2), () => get(`${api}${path}`))
  const sizes = values.sizes.split(',').map(Number)
  lines.push(...(await benchAnalytics({ sql, sizes, loaded: Number(values.loaded), rate: alone, pgbench })))

  await sql.end()
  await db.close()
} finally {
  if (service?.kill('SIGTERM')) await once(service, 'exit')
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}

const width = (column: 0 | 1) => Math.max(...lines.map((line) => line[column].length))
console.log(`${clients} clients, ${seconds} s each, ${taskCount} tasks in the project, ${values.postgres}`)
for (const [what, figure, ratio] of lines)
  console.log(`${what.padEnd(width(0))}  ${figure.padStart(width(1))}  ${ratio}`)

async function cursorAt(depth: number, read: (query: string) => Promise<any>): Promise<string> {
  let cursor = ''
  for (let seen = 0; seen < depth; seen += 200) {
    cursor = (await read(`limit=200${cursor && `&cursor=${cursor}`}`)).meta.nextCursor
  }
  return cursor
}
