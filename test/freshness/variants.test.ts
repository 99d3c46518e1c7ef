// A guard that cannot fail guards nothing: the checker catches each of the broken variants.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/workgate.ts'
import { violationsOf } from './broken.ts'
import { variants } from './variants.ts'

for (const variant of variants) {
  test(`caught: ${variant.name}`, async () => {
    const { url, drop } = await freshDatabase()
    try {
      const violations = await violationsOf(variant, url)
      assert.ok(violations.length > 0)
      console.log(`${variant.name}: ${violations[0]}`)
    } finally {
      await drop()
    }
  })
}
