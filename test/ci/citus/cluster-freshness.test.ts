// Responses about a distributed database contain everything that was committed before their request, while commits reach
// its nodes late or not at all and while places move.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loads, type LoadName, type Report } from '../../freshness/check.ts'
import { awayId, hereId } from '../../freshness/ids.ts'
import { environmentKeys, openInstance, patient } from '../../freshness/instances.ts'
import { createWorld, insertWorld } from '../../freshness/register-world.ts'
import type { Edit } from '../../support/edited-build.ts'
import { onServers } from '../../support/places.ts'
import { valuesOf } from '../../support/values.ts'
import { connect, freshDatabase } from '../../support/workgate.ts'
import { checkDisturbed, disturb, type Disturbances } from './disturb.ts'

const check = (edits: readonly Edit[], load: LoadName, disturbances: Disturbances) =>
  checkDisturbed<Report>('test/freshness/run-check.ts', edits, load, disturbances)

const { wanted } = loads.together

describe(`each of ${wanted} responses shows what was committed before its request`, () => {
  for (const [name, disturbances] of Object.entries<Disturbances>({
    'while commits arrive late or not at all': { late: 0.3, cut: 0.01 },
    'while places move': { late: 0.1, moves: true },
  }))
    test(name, async () => {
      const { violations, total, unavailable, seconds, disturbed } = await check([], 'together', disturbances)
      const { late, cut, moves } = disturbed
      console.log(
        `${total.checked} responses in ${seconds.toFixed(1)} s, ${unavailable.length} times 503; ` +
          `commits: ${late} late, ${cut} cut; ${moves} moves`,
      )
      assert.deepEqual(violations, [])
      assert.ok(total.checked >= wanted)
      assert.ok(late > 0)
      if (disturbances.cut) assert.ok(cut > 0)
      if (disturbances.moves) assert.ok(moves > 0)
    })
})

const clusterFreshness = 'src/api/freshness/cluster-freshness.ts'
const node = 'src/db/citus/node.ts'
const edit = (where: string, from: string, to: string): Edit => ({ in: where, from, to })

// prettier-ignore
const variants: [name: string, Disturbances, ...edits: Edit[]][] = [
  ['versions are read on the coordinator', {},
    edit(clusterFreshness, 'freshnessOf(node).check(scope, { ...request, places })', 'freshnessOf(parts[0].home ?? node).check(scope, { ...request, places: [] })'),
    edit(clusterFreshness, '.map(([node, { projects, places }]) => ({ node,', '.map(([node, { projects, places }]) => ({ home, node,'),
    edit(clusterFreshness, 'const byNode = new Map<', 'const home = await cluster.home()\n    const byNode = new Map<')],
  ['commits in doubt are not awaited', { cut: 0.05 },
    edit(node, '!rows[0]!.in_doubt', 'true')],
]

describe('the checker reports violations when', () => {
  for (const [name, disturbances, ...edits] of variants)
    test(name, async () => assert.notDeepEqual((await check(edits, 'races', disturbances)).violations, []))
})

test('a key that two projects exchange always names one of them', async () => {
  const { url, drop } = await freshDatabase()
  const disturbed = await disturb(url, { late: 0.5 })
  const sql = connect(url)
  await insertWorld(sql, createWorld())
  const instance = patient(openInstance(url))
  const found = new Set<string>()
  let isOver = false
  async function read() {
    while (!isOver) {
      const headers = { authorization: `Bearer ${environmentKeys.all}` }
      const { body } = await instance.ask('GET', '/tasks?projectId=HERE&number=1', headers)
      found.add(valuesOf(JSON.parse(String(body)).data as { id: string }[], 'id').join())
    }
  }
  try {
    const readers = Array.from({ length: 8 }, read)
    for (let turn = 0; turn < 100; turn++) {
      const [here, away] = turn % 2 === 0 ? [awayId, hereId] : [hereId, awayId]
      await sql`select public.swap_keys(${here!}, ${away!})`
    }
    isOver = true
    await Promise.all(readers)
  } finally {
    isOver = true
    await instance.close()
    await sql.end()
    await disturbed.stop().finally(drop)
  }
  assert.deepEqual([...found].sort(), [hereId, awayId].sort())
})

test('a response that was cached before its project moved is not used after a write there', async () => {
  const { url, sql, drop } = await freshDatabase()
  await insertWorld(sql, createWorld())
  const instance = patient(openInstance(url))
  const read = async () => {
    const headers = { authorization: `Bearer ${environmentKeys.all}` }
    const { body } = await instance.ask('GET', `/projects/${hereId}/tasks?number=1`, headers)
    return JSON.parse(String(body)).data[0].title as string
  }
  try {
    for (let turn = 1; turn <= 4; turn++) {
      await read()
      const [{ shard, from, to }] = (await sql`
        select s.shardid as shard, s.nodeport as from, n.nodeport as to
        from citus_shards s
        join pg_dist_node n on n.shouldhaveshards and n.nodeport <> s.nodeport
        where s.shardid = get_shard_id_for_distribution_column('workgate.tasks', ${hereId}::uuid)
        limit 1`) as [{ shard: string; from: number; to: number }]
      await sql`select citus_move_shard_placement(${shard}, '127.0.0.1', ${from}, '127.0.0.1', ${to}, 'block_writes')`
      // As the service does within a second.
      await onServers(sql, 'select workgate_places.settle()')
      await sql`update workgate.tasks set title = ${`Moved ${turn}`} where project_id = ${hereId} and number = 1`
      assert.equal(await read(), `Moved ${turn}`)
    }
  } finally {
    await instance.close()
    await drop()
  }
})
