// A guard that cannot fail guards nothing: the checker catches each of the broken variants. One of each sort, or all of
// them with FRESHNESS=long.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { violationsOf } from './broken.ts'
import { variants } from './variants.ts'

const isLong = process.env['FRESHNESS'] === 'long'

describe('the checker catches it where', { concurrency: 2 }, () => {
  for (const variant of variants.flatMap((sort) => (isLong ? sort : sort.slice(0, 1)))) {
    test(variant.name, async () => assert.notDeepEqual(await violationsOf(variant), []))
  }
})
