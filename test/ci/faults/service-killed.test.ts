// kill -9 of the service under load and with a follower, of its individual processes, and of its embedded PostgreSQL.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUp, postmasterPid, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'
import { insertData } from '../../support/data.ts'
import { rounds } from '../../support/environment.ts'
import { command, connect, issueKey, runArtifact, startArtifact } from '../../support/workgate.ts'
import { hasExited, startWorkers } from '../../workers/workers-service.ts'
import { startLoad } from './fault-load.ts'
import { prepare, project, startPostgres } from './stage.ts'

const kills = rounds(3, 12)

type Environment = Record<string, string>

async function onServer(t: TestContext) {
  const server = await startPostgres(t)
  const environment: Environment = { DATABASE_URL: server.url('postgres') }
  return { environment, ...(await prepare(t, server.url('postgres'))) }
}

/** The embedded database runs only while the service or a command does. */
async function onEmbedded(t: TestContext) {
  const dataDir = await temporaryFolder(t)
  // The embedded PostgreSQL, whichever one the run uses as a server.
  const environment: Environment = { DATA_DIR: dataDir, POSTGRES_BIN: '' }
  const first = await startArtifact(environment)
  const sql = connect(`postgres://workgate@localhost/workgate?host=${dataDir}`, { max: 1 })
  cleanUp(t, () => sql.end({ timeout: 1 }))
  await insertData(sql)
  const key = await issueKey(sql, 'load')
  await first.close()
  return { environment, sql, key }
}

async function startLogged(t: TestContext, environment: Environment) {
  const service = await startWorkers({ RATE_LIMIT_PER_MINUTE: '0', ...environment })
  cleanUp(t, async () => {
    service.child.kill('SIGTERM')
    await service.ended
  })
  return service
}
type Service = Awaited<ReturnType<typeof startLogged>>

/** Kills a process. Returns the service that runs afterwards. */
type Kill = (service: Service, again: () => Promise<Service>, environment: Environment) => Promise<Service>

const killPrimary: Kill = async ({ child, ended }, again) => {
  child.kill('SIGKILL')
  await ended
  return again()
}
const killWorker: Kill = async (service) => {
  const restarted = () => service.linesWith('worker restarted')
  const pids = [...service.pids(), ...restarted().map(({ pid }) => pid as number)]
  const before = restarted().length
  process.kill(
    pids.findLast((pid) => !hasExited(pid))!,
    'SIGKILL',
  )
  await until('another listens', () => restarted().length > before)
  return service
}

const killPostgres: Kill = async (service, _, { DATA_DIR }) => {
  const pid = (await postmasterPid(DATA_DIR!))!
  process.kill(pid, 'SIGKILL')
  await until('it has exited', () => hasExited(pid))
  return service
}
const killBoth: Kill = async (service, again, environment) =>
  killPrimary(await killPostgres(service, again, environment), again, environment)
const killTwice: Kill = async ({ child, ended }, again, environment) => {
  child.kill('SIGKILL')
  await ended
  const starting = runArtifact(['serve'], { PORT: '0', ...environment })
  const killed = once(starting, 'exit')
  await sleep(300 + Math.random() * 600)
  starting.kill('SIGKILL')
  await killed
  return again()
}

const [oneProcess, twoWorkers] = [{ WORKERS: '1' }, { WORKERS: '2' }]
// prettier-ignore
const kinds: [fault: string, on: typeof onServer, kill: Kill, more: Environment][] = [
  ['kill -9 of the service, on a server',                        onServer,   killPrimary, oneProcess],
  ['kill -9 of the service, on the embedded database',           onEmbedded, killPrimary, oneProcess],
  ['kill -9 of the embedded PostgreSQL',                         onEmbedded, killPostgres, oneProcess],
  ['kill -9 of the service and its PostgreSQL',                  onEmbedded, killBoth,   oneProcess],
  ['kill -9 of the service, and again while it starts',          onEmbedded, killTwice,  oneProcess],
  ['kill -9 of one of two workers',                              onServer,   killWorker,  twoWorkers],
  ['kill -9 of the primary process of two workers, on a server', onServer,   killPrimary, twoWorkers],
  ['kill -9 of the primary process, on the embedded database',   onEmbedded, killPrimary, twoWorkers],
]

for (const [fault, on, kill, more] of kinds) {
  test(`${fault}, ${kills} times: no acknowledged write is lost`, async (t) => {
    const { environment, sql, key } = await on(t)
    const start = () => startLogged(t, { ...environment, ...more })
    let service = await start()
    const load = startLoad(t, { url: () => service.url, key, project, mayCut: true })
    const seconds: number[] = []
    for (let round = 0; round < kills; round++) {
      await load.untilServed(10)
      const killed = performance.now()
      service = await kill(service, start, environment)
      await load.untilServed()
      seconds.push((performance.now() - killed) / 1_000)
    }
    const { copies } = await load.check(fault, sql, {
      kills,
      'seconds from the kill until recovery': Math.max(...seconds),
    })
    // A cursor expires only with commits that the database may have lost.
    if (on === onServer) assert.equal(copies, 1)
    assert.equal((await command(['doctor'], environment)).code, 0)
  })
}
