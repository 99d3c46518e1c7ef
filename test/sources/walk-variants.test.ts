// Tests the walk itself: it must find each broken variant. With FRESHNESS=some or FRESHNESS=long all are tested, and by
// default none.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkVariants, violationsOf, type Variant } from '../support/broken-variants.ts'
import type { Edit } from '../support/edited-build.ts'

const round = 'src/sources/round.ts'
const vanished = 'src/sources/vanished.ts'
const edit = (where: string, from: string, to: string): Edit => ({ in: where, from, to })

// prettier-ignore
const broken: [name: string, ...edits: Edit[]][] = [
  ['windows do not overlap', edit(round, ' - tracker.overlapSeconds * 1_000', '')],
  ['deletions are ignored', edit(round, "await confirm(tracker, vanished, copy.count('task'), trackerId)", '[] as Vanished[]')],
  ['comments are read from the first page on', edit(vanished, 'since === undefined && !tracker.newestFirst[kind]', 'false')],
  ['a deletion in a window of several pages does not lead to reading everything', edit(round, 'since !== undefined && isPaged && vanished.length > 0', 'false')],
  ['what an audit has read is not counted', edit(vanished, 'if (isExplained && !differs) break', 'if (listed || (isExplained && !differs)) break')],
  ['a count that differs is not repeated', edit(vanished, 'isExplained && !differs', 'isExplained')],
]
const variants: Variant[] = broken.map(([name, ...files]) => ({ name, files, functions: [], triggers: [] }))
const tested = process.env['FRESHNESS'] === undefined ? [] : variants

describe('the walk finds that', () => {
  for (const variant of tested)
    test(variant.name, async () =>
      assert.notDeepEqual(await violationsOf('test/sources/run-walk.ts', variant, '60'), []),
    )
})

test('every variant of the rounds can be made', () => checkVariants(variants))
