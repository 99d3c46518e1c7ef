// Copies that are kept by the changes of projects equal the lists in a distributed database, while commits reach its nodes
// late and places move.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loads, type LoadName, type Report } from '../../changes/changes-check.ts'
import type { Edit } from '../../support/edited-build.ts'
import { checkDisturbed, type Disturbances } from './disturb.ts'

const check = (edits: readonly Edit[], load: LoadName, disturbances: Disturbances) =>
  checkDisturbed<Report>('test/changes/run-changes-check.ts', edits, load, disturbances)

const { wanted } = loads.short

test(`copies equal the lists after each of ${wanted} changes`, async () => {
  const { violations, changes, unavailable, seconds, disturbed } = await check([], 'short', { late: 0.1, moves: true })
  const { late, moves } = disturbed
  console.log(
    `${changes} changes in ${seconds.toFixed(1)} s, ${unavailable} times 503; commits: ${late} late; ${moves} moves`,
  )
  assert.deepEqual(violations, [])
  assert.ok(changes >= wanted)
  assert.ok(late > 0)
  assert.ok(moves > 0)
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
