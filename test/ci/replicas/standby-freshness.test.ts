// Responses from standbys contain everything that was committed before their request, while the replay of the standbys is
// paused and delayed, and they are killed. FRESHNESS=long checks 100,000 responses, otherwise 20,000.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { loads, type LoadName, type Report } from '../../freshness/check.ts'
import { assertAvailable } from '../../freshness/instances.ts'
import { runEdited, type Edit } from '../../support/edited-build.ts'
import { withSql } from '../../support/workgate.ts'
import { disturb, startCluster } from './standbys.ts'

/** Asynchronous commits are visible before they are written. Statements that delay the replay are cancelled at once. */
const cluster = await startCluster({
  synchronous_commit: 'off',
  max_standby_streaming_delay: '0',
  max_connections: '60',
})
after(cluster.remove)

/** The share of reads that standbys serve although they are disturbed. With fewer, the check would prove little. */
const minShare = 0.1

/** Until asynchronous commits are written, no standby can have replayed them. */
const writtenWithin = '1ms'

async function check(edits: readonly Edit[], load: LoadName, walWriterDelay = writtenWithin) {
  const database = await cluster.createDatabase()
  const url = cluster.primary.url(database)
  await withSql(url, async (sql) => {
    await sql.unsafe(`alter system set wal_writer_delay = '${walWriterDelay}'`)
    await sql`select pg_reload_conf(), workgate.begin_epoch()`
  })
  const disturbance = disturb(cluster, database)
  try {
    const program = 'test/freshness/run-check.ts'
    return { disturbance, ...(await runEdited<Report>(program, edits, url, load, cluster.replicasOf(database))) }
  } finally {
    await disturbance.stop()
  }
}

const load = process.env['FRESHNESS'] === 'long' ? 'long' : 'some'

test(`each of ${loads[load].wanted} responses shows what was committed before its request`, async () => {
  const { violations, total, servedBy, unavailable, disturbance } = await check([], load)
  const { kills, conflicts } = disturbance
  console.log(
    `${total.checked} responses; reads by server: ${servedBy.join(', ')}; ${kills} kills, ${conflicts} statements cancelled`,
  )
  assert.deepEqual(violations, [])
  assertAvailable(unavailable, total.checked)
  assert.ok(kills > 0 && conflicts > 0)
  const [onPrimary, ...onStandbys] = servedBy as [number, ...number[]]
  const served = onStandbys.reduce((sum, count) => sum + count, 0)
  assert.ok(served >= minShare * (onPrimary + served), `standbys served ${served}, the primary ${onPrimary}`)
})

const versions = 'sql/freshness/versions.sql'
const position = 'src/db/replicas/replayed.ts'
const connection = 'src/db/replicas/standby-connection.ts'
const confirmed = 'src/api/freshness/confirmed-version.ts'
const edit = (where: string, from: string, to: string): Edit => ({ in: where, from, to })

// prettier-ignore
const variants: [name: string, walWriterDelay: string, ...edits: Edit[]][] = [
  ['the position is that of what is written, not inserted', '200ms',
    edit(versions, 'pg_current_wal_insert_lsn()', 'pg_current_wal_lsn()')],
  ['the position is that of an earlier check', writtenWithin,
    edit(confirmed, 'lsn: BigInt(lsn) }', 'lsn: BigInt(earlier[0] ?? lsn) }'),
    edit(confirmed, 'return ({ scope, keyScope, places }: Asked', 'if (earlier.push(lsn) > 10) earlier.shift()\n  return ({ scope, keyScope, places }: Asked'),
    edit(confirmed, 'export function readVersions(', 'const earlier = []\nexport function readVersions(')],
  // The delay is shorter than that of a busy machine.
  ['what is replayed is read after the data', writtenWithin,
    edit(connection, 'if (options.position) await reach(options.position)\n        return connection.run(text, values, options)', `
        const rows = await connection.run(text, values, options)
        await sleep(20)
        if (options.position) await reach(options.position)
        return rows`)],
  ['what is replayed is not compared', writtenWithin,
    edit(position, ' && lsn >= position.lsn', '')],
]

describe('the checker reports violations when', () => {
  for (const [name, walWriterDelay, ...edits] of variants)
    test(name, async () => assert.notDeepEqual((await check(edits, 'races', walWriterDelay)).violations, []))
})
