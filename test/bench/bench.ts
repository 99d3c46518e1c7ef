// npm run bench: figures of this build, as ratios of the same run. Prints a table; fails for no figure.
// Service, database and load share the machine, so only the ratios mean something.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/database.ts'
import { bind, type Params } from '../../src/db/query.ts'
import { pageQuery } from '../../src/lists/list.ts'
import { freePort } from '../support/server.ts'
import projectRows from '../../sql/projects/projects.sql'
import stageRows from '../../sql/boards/stages.sql'

const clients = 16
const secondsEach = 4
const projectCount = 2_000
const taskCount = 20_000

const dataDir = await mkdtemp(join(tmpdir(), 'workgate-bench-'))
const port = await freePort()
const env = {
  PATH: process.env['PATH'],
  DATA_DIR: dataDir,
  PORT: String(port),
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'warn',
}
const workgate = (...args: string[]) =>
  spawn(process.execPath, ['dist/workgate.mjs', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
const rows: [what: string, figure: string, ratio: string][] = []

try {
  await output('demo', '--projects', String(projectCount), '--tasks', String(taskCount))
  const key = (await output('keys', 'create', 'bench', '--all-projects')).trim()
  const service = workgate('serve')
  const started = performance.now()
  service.stdout.resume()
  const ask = asker(`http://127.0.0.1:${port}/api/external/v1`, key)
  while ((await ask('/key').catch(() => '')) === '') await new Promise((resolve) => setTimeout(resolve, 10))
  rows.push(['start to first answer, existing folder', `${Math.round(performance.now() - started)} ms`, ''])

  const db = openDatabase({
    target: { socket: dataDir, user: 'workgate', database: 'workgate' },
    poolSize: 10,
    statementTimeoutMs: 10_000,
  })
  const statement = (sql: string, params: Params) => {
    const page = pageQuery(sql)
    const values = bind(page.statement, params)
    return () => db.run(page.statement.text, values)
  }

  const first = { after: null, afterId: null, limit: 50 }
  const ofProjects: Params = {
    ...first,
    projectId: null,
    allProjects: true,
    projectIds: [],
    id: null,
    status: null,
    q: null,
    sort: '-createdAt',
    createdAfter: null,
    createdBefore: null,
    updatedAfter: null,
    updatedBefore: null,
  }
  const projectId = JSON.parse(await ask('/projects?limit=1')).data[0].id as string
  const deep = await cursorAfter(ask, 0.9 * projectCount)

  const bare = await rate(statement(projectRows, ofProjects))
  const list = await rate(() => ask('/projects'))
  const page = await rate(() => ask(`/projects?cursor=${deep}`))
  const ofStages = { ...first, projectId, boardId: null, category: null, sort: 'position' }
  const bareStages = await rate(statement(stageRows, ofStages))
  const stagesList = await rate(() => ask(`/projects/${projectId}/stages`))
  const idle = await rate(() => ask('/nothing').catch(() => ''))

  rows.push(
    ['the statement of 50 projects, by the driver alone', `${bare}/s`, ''],
    ['GET /projects, 50 of them', `${list}/s`, `${(list / bare).toFixed(2)} of the statement`],
    [
      `GET /projects, a page ${Math.round(0.9 * projectCount)} rows deep`,
      `${page}/s`,
      `${(page / list).toFixed(2)} of the first page`,
    ],
    ['the statement of the stages of a project, by the driver alone', `${bareStages}/s`, ''],
    ['GET …/stages', `${stagesList}/s`, `${(stagesList / bareStages).toFixed(2)} of the statement`],
    ['an answer of 404: key check and HTTP alone', `${idle}/s`, ''],
  )
  await db.close()
  service.kill('SIGTERM')
  await once(service, 'exit')
} finally {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
}
const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
console.log(
  `${clients} clients, ${secondsEach} s each, ${projectCount} projects, ${taskCount} tasks, embedded PostgreSQL`,
)
for (const [what, figure, ratio] of rows)
  console.log(`${what.padEnd(widths[0]!)}  ${figure.padStart(widths[1]!)}  ${ratio}`)

async function output(...args: string[]): Promise<string> {
  const child = workgate(...args)
  let text = ''
  child.stdout.on('data', (bytes: Buffer) => (text += bytes))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`workgate ${args[0]} ended with ${code}`)
  return text
}

/** How many of these a second, by as many clients as there are, each one at a time. */
async function rate(work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 100; n++) await work()
  const until = performance.now() + secondsEach * 1000
  let done = 0
  const client = async () => {
    while (performance.now() < until) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return Math.round(done / secondsEach)
}

function asker(base: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const headers = { authorization: `Bearer ${key}` }
  return (path: string) =>
    new Promise<string>((resolve, reject) => {
      get(base + path, { agent, headers }, (response) => {
        let text = ''
        response.on('data', (bytes: Buffer) => (text += bytes))
        response.on('end', () => resolve(text))
      }).on('error', reject)
    })
}

async function cursorAfter(ask: (path: string) => Promise<string>, count: number): Promise<string> {
  let cursor = ''
  for (let seen = 0; seen < count; seen += 200) {
    cursor = JSON.parse(await ask(`/projects?limit=200${cursor && `&cursor=${cursor}`}`)).meta.nextCursor
  }
  return cursor
}
