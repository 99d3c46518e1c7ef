// The service and its PostgreSQL are killed repeatedly under load. Every acknowledged row must survive.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { rounds } from '../../support/environment.ts'
import {
  isResponding,
  cleanUp,
  kill,
  postmasterPid,
  query,
  startService,
  dataFolder,
  until,
} from '../../faults/fixtures/embedded.ts'

const kills = rounds(4, 16)
const victims = ['the service', 'PostgreSQL', 'both', 'the service while it starts'] as const
const writerCount = 4

test(`every acknowledged row survives ${kills} kills`, async (t) => {
  const dataDir = await dataFolder(t)
  let service = startService(dataDir)
  cleanUp(t, () => kill(service, 'SIGTERM'))
  await until('the service is ready', () => isResponding(dataDir))
  await query(dataDir, 'create table kept (id bigint primary key)')

  const load = startWriters(dataDir)
  cleanUp(t, load.stop)

  const killPostgres = async () => {
    const pid = await postmasterPid(dataDir)
    if (pid) process.kill(pid, 'SIGKILL')
  }
  const replaceService = async () => {
    await kill(service, 'SIGKILL')
    service = startService(dataDir)
  }

  for (let round = 0; round < kills; round++) {
    const victim = victims[round % victims.length]!
    const moment = Math.round(Math.random() * 400)
    const before = load.acknowledged.size
    await until('rows are acknowledged', () => load.acknowledged.size > before + 20)
    await sleep(moment)
    const claimed = [...load.acknowledged]
    if (victim === 'PostgreSQL' || victim === 'both') await killPostgres()
    if (victim !== 'PostgreSQL') await replaceService()
    if (victim === 'the service while it starts') {
      await sleep(300 + Math.random() * 600)
      await replaceService()
    }
    // The first response may come from the old server, which is about to exit.
    let kept = new Set<string>()
    const read = async () => (kept = new Set(await query(dataDir, 'select id from kept')))
    const respondsWithRows = () =>
      read().then(
        () => true,
        () => false,
      )
    await until(`it responds after round ${round} (${victim})`, respondsWithRows).catch((error: Error) => {
      throw new Error(`${error.message}; output of the service:\n${service.output().slice(-2_000)}`)
    })
    const lost = claimed.filter((id) => !kept.has(String(id)))
    assert.deepEqual(lost, [], `lost in round ${round}, ${victim} killed after ${moment} ms`)
  }

  await load.stop()
  const kept = new Set(await query(dataDir, 'select id from kept'))
  assert.deepEqual(
    [...load.acknowledged].filter((id) => !kept.has(String(id))),
    [],
  )
  t.diagnostic(`${load.acknowledged.size} rows acknowledged, ${kept.size} kept`)
})

function startWriters(dataDir: string) {
  const acknowledged = new Set<number>()
  let next = 0
  let stopped = false

  async function write(): Promise<void> {
    const sql = postgres({
      host: dataDir,
      user: 'workgate',
      database: 'workgate',
      max: 1,
      connect_timeout: 2,
      backoff: () => 0.02,
      fetch_types: false,
      onnotice: () => {},
    })
    while (!stopped) {
      const id = next++
      try {
        await sql`insert into kept values (${id})`
        acknowledged.add(id)
      } catch {
        await sleep(10)
      }
    }
    await sql.end({ timeout: 1 })
  }

  const writers = Array.from({ length: writerCount }, write)
  const stop = async () => {
    stopped = true
    await Promise.all(writers)
  }
  return { acknowledged, stop }
}
