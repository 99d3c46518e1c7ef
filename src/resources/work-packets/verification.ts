// Defines the response schema of verifications.

import * as v from 'valibot'
import { described, extensible, id, named } from '../../api/schema/response-schemas.ts'
import { taskState, taskVersion } from '../tasks/task.ts'
import { expectationNames } from './expectations.ts'
import { historyChange } from './history.ts'
import { packetDigest } from './work-packet.ts'

const value = v.union([v.string(), v.pipe(v.number(), v.integer())])

const check = named('Check', 'The result of checking one expectation.', {
  name: extensible(v.picklist(expectationNames)),
  expected: value,
  actual: v.union([...value.options, v.null()]),
  ok: v.boolean(),
})

export const verificationResult = named('Verification', 'The result of verifying a task.', {
  taskId: id,
  verified: described(v.boolean(), 'True if all expectations are met.'),
  checks: described(
    v.pipe(v.array(check), v.minLength(1), v.maxLength(expectationNames.length)),
    'One check for each expectation.',
  ),
  version: taskVersion,
  state: taskState,
  digest: described(packetDigest, 'The digest of the work packet.'),
  lastChange: described(v.nullable(historyChange), 'The latest history entry; `null` if the history is empty.'),
})
