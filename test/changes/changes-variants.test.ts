// Tests the checker itself: it must find each broken variant. With FRESHNESS=some those of someVariants are tested, with
// FRESHNESS=long all, and by default none.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkVariants, violationsOf } from '../support/broken-variants.ts'
import { someVariants, variants } from './changes-variants.ts'

const checker = 'test/changes/run-changes-check.ts'
const tested = { long: variants, some: someVariants }[process.env['FRESHNESS']!] ?? []

describe('the checker of changes reports violations when', { concurrency: 2 }, () => {
  for (const variant of tested)
    test(variant.name, async () => assert.notDeepEqual(await violationsOf(checker, variant, 'broken'), []))
})

test('every variant of the changes can be made', () => checkVariants(variants))
