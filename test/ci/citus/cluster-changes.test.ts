// Copies that are kept by the changes of projects equal the lists in a distributed database, while commits reach its nodes
// late and places move.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loads, type LoadName, type Report } from '../../changes/changes-check.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import type { Edit } from '../../support/edited-build.ts'
import { onServers, serverUrls } from '../../support/places.ts'
import { valuesOf } from '../../support/values.ts'
import { connect, freshDatabase } from '../../support/workgate.ts'
import { checkDisturbed, interceptCommits, type Disturbances } from './disturb.ts'

const check = (edits: readonly Edit[], load: LoadName, disturbances: Disturbances) =>
  checkDisturbed<Report>('test/changes/run-changes-check.ts', edits, load, disturbances)

const { wanted } = loads.short

test(`copies equal the lists after each of ${wanted} changes`, async () => {
  const { violations, changes, unavailable, seconds, disturbed } = await check([], 'short', { late: 0.1, moves: true })
  const { late, moves } = disturbed
  console.log(
    `${changes} changes in ${seconds.toFixed(1)} s, ${unavailable.length} times 503; commits: ${late} late; ${moves} moves`,
  )
  assert.deepEqual(violations, [])
  assert.ok(changes >= wanted)
  assert.ok(late > 0)
  assert.ok(moves > 0)
})

test('no change of a project is lost because no node showed the project when the transaction began', async () => {
  const { url, sql, drop } = await freshDatabase()
  const mover = connect(url, { max: 1 })
  let lateServer = ''
  let pass = () => {}
  const isPassed = new Promise<void>((resolve) => (pass = resolve))
  const { ports, close } = await interceptCommits(sql, url, async (server) => {
    if (server === lateServer) await isPassed
  })
  try {
    const [row] = await sql`insert into workgate.projects (key, name) values ('MOVED', 'Moved') returning id`
    const id: string = row!['id']
    const shares = async () =>
      valuesOf(
        await onServers(sql, `select workgate_places.is_here(workgate_places.place_of('${id}')) as here`),
        'here',
      )
    const from = (await shares()).indexOf(true)
    const to = from === 1 ? 2 : 1
    lateServer = serverUrls(url)[to]!
    const move = mover`
      select citus_move_shard_placement(
        workgate_places.place_of(${id}), '127.0.0.1', ${ports[from]!}, '127.0.0.1', ${ports[to]!}, 'block_writes')`.execute()
    await until('the move has left the node', async () => !(await shares()).includes(true))

    const write = (isolation: string, before: () => Promise<void>) =>
      sql.begin(`isolation level ${isolation}`, async (transaction) => {
        // On every node, since it is a reference table. Citus does not let it wait for moves.
        await transaction`update workgate.api_keys set name = name`
        await before()
        await transaction`update workgate.projects set name = 'Renamed' where id = ${id}`
      })
    const early = write('repeatable read', async () => {
      pass()
      await move
      // As a running service does within a second.
      await onServers(sql, 'select workgate_places.settle()')
    })
    await assert.rejects(early, {
      code: '40001',
      message: 'the project has moved to another node since the transaction began',
    })
    await write('serializable', async () => {})
    const entries = await onServers(sql, `select kind from workgate.journal where id = '${id}' and event = 'updated'`)
    assert.deepEqual(valuesOf(entries, 'kind'), ['project'])
  } finally {
    pass()
    await mover.end({ timeout: 1 })
    close()
    await drop()
  }
})

const reader = 'src/resources/changes/read-cluster-changes.ts'

// prettier-ignore
const variants: [name: string, from: string, to: string][] = [
  ['a page of one journal is the end of the others',
    'begun !== undefined || entries.length > 0 ? journal.known : now', 'now'],
  ['a project has only the journal of the coordinator',
    'begun === undefined || node === begun)', '(begun === undefined || node === begun) && request.reach.projectIds?.length !== 1)'],
]

describe('the checker of changes reports violations when', () => {
  for (const [name, from, to] of variants)
    test(name, async () => {
      assert.notDeepEqual((await check([{ in: reader, from, to }], 'broken', {})).violations, [])
    })
})
