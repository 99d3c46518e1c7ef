// Tests the checker itself: it must find each broken variant. By default only one is tested, with FRESHNESS=some those
// of someVariants, and with FRESHNESS=long all.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkVariants, violationsOf } from '../support/broken-variants.ts'
import { someVariants, variants } from './changes-variants.ts'

const checker = 'test/changes/run-changes-check.ts'
const tested = { long: variants, some: someVariants }[process.env['FRESHNESS']!] ?? variants.slice(0, 1)

describe('the checker of changes reports violations when', { concurrency: 2 }, () => {
  for (const variant of tested)
    test(variant.name, async () => assert.notDeepEqual(await violationsOf(checker, variant, 'broken'), []))
})

test('every variant of the changes can be made', () => checkVariants(variants))
