// A database that accepts no writes for a while: reads succeed, writes are refused, and failing background work does
// not fill the log.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogLine } from '../../support/workgate.ts'
import { startLoad, type Load } from './fault-load.ts'
import { startPair } from './replicas.ts'
import { prepare, project, startPostgres, startService } from './stage.ts'

/** Long enough for several attempts of the background work that runs every two seconds. */
const longMs = 7_000

async function assertReadsContinue(load: Load): Promise<void> {
  await load.untilRefused(20)
  const before = load.written()
  await sleep(longMs)
  await load.untilRead(50)
  assert.equal(load.written(), before)
}

/** The failure of each kind of background work is logged only once. */
function assertQuiet(lines: string[]): void {
  const messages = lines
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ level }) => level !== 'info')
    .map(({ message }) => String(message))
  assert.deepEqual([...new Set(messages)], messages)
  for (const work of ['marks', 'tallies']) assert.ok(messages.includes(`${work} could not be compacted`))
}

test('default_transaction_read_only is set and reset while requests run', async (t) => {
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
  await load.untilServed(5)
  await set('on')
  await assertReadsContinue(load)
  await set('off')
  const seconds = await load.untilServed()
  await load.check('read-only database', sql, { 'seconds until recovery': seconds })
  assertQuiet(lines)
})

test('a service that is connected to a hot standby writes once the standby is promoted', async (t) => {
  const { primary, replica, replicaSql, key } = await startPair(t, 'asynchronous')
  const lines: string[] = []
  const service = await startService(t, { DATABASE_URL: replica.url('postgres') }, lines)
  const load = startLoad(t, { url: () => service.url, key, project })
  await assertReadsContinue(load)
  await primary.stop()
  await replicaSql`select pg_promote()`
  const seconds = await load.untilServed(5)
  await load.check('a hot standby, and its promotion', replicaSql, { 'seconds until recovery': seconds })
  assertQuiet(lines)
})
