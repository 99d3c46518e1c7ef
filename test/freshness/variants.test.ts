// Tests the checker itself: it must find each broken variant. By default only one is tested, with FRESHNESS=long all of
// them.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { violationsOf } from './broken.ts'
import { variants } from './variants.ts'

const isLong = process.env['FRESHNESS'] === 'long'

describe('the checker reports violations when', { concurrency: 2 }, () => {
  for (const variant of isLong ? variants.flat() : variants[0]!.slice(0, 1)) {
    test(variant.name, async () => assert.notDeepEqual(await violationsOf(variant), []))
  }
})
