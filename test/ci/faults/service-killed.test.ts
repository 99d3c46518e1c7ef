// kill -9 of the service under load, and of its individual processes.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { cleanUp, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'
import { insertData } from '../../support/data.ts'
import { command, connect, issueKey, startArtifact, type LogLine } from '../../support/workgate.ts'
import { startLoad } from './fault-load.ts'
import { prepare, project, startPostgres } from './stage.ts'

const rounds = 3

type Environment = Record<string, string>

async function onServer(t: TestContext) {
  const server = await startPostgres(t)
  const environment: Environment = { DATABASE_URL: server.url('postgres') }
  return { environment, ...(await prepare(t, server.url('postgres'))) }
}

/** The embedded database runs only while the service or a command does. */
async function onEmbedded(t: TestContext) {
  const dataDir = await temporaryFolder(t)
  const environment: Environment = { DATA_DIR: dataDir }
  const first = await startArtifact(environment)
  const sql = connect(`postgres://workgate@localhost/workgate?host=${dataDir}`, { max: 1 })
  cleanUp(t, () => sql.end({ timeout: 1 }))
  await insertData(sql)
  const key = await issueKey(sql, 'load')
  await first.close()
  return { environment, sql, key }
}

async function startLogged(t: TestContext, environment: Environment) {
  const lines: string[] = []
  const service = await startArtifact({ RATE_LIMIT_PER_MINUTE: '0', ...environment }, lines)
  cleanUp(t, () => service.close())
  const logged = (message: string) =>
    lines.map((line) => JSON.parse(line) as LogLine).filter((line) => line['message'] === message)
  return { ...service, logged }
}
type Service = Awaited<ReturnType<typeof startLogged>>

/** Kills a process. Returns the service that runs afterwards. */
type Kill = (service: Service, again: () => Promise<Service>) => Promise<Service>

const killPrimary: Kill = async ({ child }, again) => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  return again()
}
const killWorker: Kill = async (service) => {
  const pids = [...service.logged('listening'), ...service.logged('worker restarted')].flatMap(
    ({ workers, pid }) => (workers ?? [pid]) as number[],
  )
  const victim = pids.findLast((pid) => isAlive(pid))!
  const before = service.logged('worker restarted').length
  process.kill(victim, 'SIGKILL')
  await until('another listens', () => service.logged('worker restarted').length > before)
  return service
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const twoWorkers = { WORKERS: '2' }
// prettier-ignore
const kinds: [fault: string, on: typeof onServer, kill: Kill, more: Environment][] = [
  ['kill -9 of the service, on a server',                        onServer,   killPrimary, {}],
  ['kill -9 of the service, on the embedded database',           onEmbedded, killPrimary, {}],
  ['kill -9 of one of two workers',                              onServer,   killWorker,  twoWorkers],
  ['kill -9 of the primary process of two workers, on a server', onServer,   killPrimary, twoWorkers],
  ['kill -9 of the primary process, on the embedded database',   onEmbedded, killPrimary, twoWorkers],
]

for (const [fault, on, kill, more] of kinds) {
  test(`${fault}, ${rounds} times: no acknowledged write is lost`, async (t) => {
    const { environment, sql, key } = await on(t)
    const start = () => startLogged(t, { ...environment, ...more })
    let service = await start()
    const load = startLoad(t, { url: () => service.url, key, project, mayCut: true })
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++) {
      await load.untilServed(10)
      const killed = performance.now()
      service = await kill(service, start)
      await load.untilServed()
      seconds.push((performance.now() - killed) / 1_000)
    }
    await load.check(fault, sql, {
      kills: rounds,
      'seconds from the kill until recovery': Math.max(...seconds),
    })
    assert.equal((await command(['doctor'], environment)).code, 0)
  })
}
