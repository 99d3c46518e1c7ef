// A database that takes no writes for a while: reads go on, writes are told so, and what the service writes beside requests
// does not fill the log.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogLine } from '../../support/workgate.ts'
import { startLoad, type Load } from './fault-load.ts'
import { startPair } from './replicas.ts'
import { prepare, project, startPostgres, startService } from './stage.ts'

/** Longer than the work that is done every two seconds needs to be tried several times. */
const longMs = 7_000

async function readsGoOn(load: Load): Promise<void> {
  await load.untilRefused(20)
  const before = load.written()
  await sleep(longMs)
  await load.untilRead(50)
  assert.equal(load.written(), before)
}

/** Each kind of work beside requests is told of once while it cannot be done. */
function assertQuiet(lines: string[]): void {
  const told = lines
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ level }) => level !== 'info')
    .map(({ message }) => String(message))
  assert.deepEqual([...new Set(told)], told)
  for (const work of ['changes', 'tallies']) assert.ok(told.includes(`${work} could not be compacted`))
}

test('default_transaction_read_only, set while requests run', async (t) => {
  const server = await startPostgres(t)
  const { sql, key } = await prepare(t, server.url('postgres'))
  const lines: string[] = []
  const service = await startService(t, { DATABASE_URL: server.url('postgres') }, lines)
  const load = startLoad(t, { url: () => service.url, key, project })
  const set = async (value: string) => {
    await sql.unsafe(`set default_transaction_read_only = off`)
    await sql.unsafe(`alter system set default_transaction_read_only = ${value}`)
    await sql`select pg_reload_conf()`
  }
  await load.untilItGoesOn(5)
  await set('on')
  await readsGoOn(load)
  await set('off')
  const seconds = await load.untilItGoesOn()
  await load.check('read-only database', sql, { 'seconds until all is served again': seconds })
  assertQuiet(lines)
})

test('a service that is connected to a hot standby, which is promoted later', async (t) => {
  const { primary, replica, ofReplica, key } = await startPair(t, 'asynchronous')
  const lines: string[] = []
  const service = await startService(t, { DATABASE_URL: replica.url('postgres') }, lines)
  const load = startLoad(t, { url: () => service.url, key, project })
  await readsGoOn(load)
  await primary.stop()
  await ofReplica`select pg_promote()`
  const seconds = await load.untilItGoesOn(5)
  await load.check('a hot standby, and its promotion', ofReplica, { 'seconds until all is served again': seconds })
  assertQuiet(lines)
})
