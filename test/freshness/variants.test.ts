// A guard that cannot fail guards nothing: the checker catches each of the broken variants.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { violationsOf } from './broken.ts'
import { variants } from './variants.ts'

describe('the checker catches it where', { concurrency: 2 }, () => {
  for (const variant of variants) {
    test(variant.name, async () => assert.notDeepEqual(await violationsOf(variant), []))
  }
})
