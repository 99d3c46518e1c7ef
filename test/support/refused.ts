// Asserts that a request was refused because of one of its parameters.

import assert from 'node:assert/strict'
import { valuesOf } from './values.ts'
import type { Reply } from './workgate.ts'

export function assertRefused({ status, body }: Reply, name: string, message = /./): void {
  assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED'])
  assert.deepEqual([valuesOf(body.errors, 'in'), valuesOf(body.errors, 'name')], [['query'], [name]])
  assert.match(body.errors[0].message, message)
}
