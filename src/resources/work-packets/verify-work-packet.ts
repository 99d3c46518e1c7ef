// GET /projects/:projectId/tasks/:taskId/work-packet/verification

import * as v from 'valibot'
import { jsonResponse } from '../../api/responses/response.ts'
import { directory } from '../../api/freshness/freshness.ts'
import { secondsToWait } from '../../api/input/query-string.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { dataBody, described, extensible, id, named } from '../../api/responses/response-schemas.ts'
import { expectations, requireExpectation, verify, expectationNames } from './expectations.ts'
import { findPacket } from './packet.ts'
import { taskState, taskVersion } from '../tasks/task.ts'
import { historyChange } from './history.ts'
import { packetDigest } from './work-packet.ts'

const value = v.union([v.string(), v.pipe(v.number(), v.integer())])

const check = named('Check', 'The result of checking one expectation.', {
  name: extensible(v.picklist(expectationNames)),
  expected: value,
  actual: v.union([...value.options, v.null()]),
  ok: v.boolean(),
})

const verificationResult = named('Verification', 'The result of verifying a task.', {
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

export const verifyWorkPacket = readEndpoint({
  docs: {
    operationId: 'verifyWorkPacket',
    tag: 'Work packets',
    summary: 'Verify a change to a task',
    description: lines(
      'Compares the task with your expectations and returns whether each one is met. At least one expectation is',
      'required: `state`, `stageId`, `assigneeId`, `priority`, `minVersion`, `digest` or `completedAfter`.',
      '',
      'With `wait` (seconds, up to 30), the response is held until all expectations are met or the time runs out. It',
      'contains the state at that moment. The wait ends within a quarter of a second of the commit, whichever channel',
      'the change came through. The key is checked again before a held response is sent.',
      '',
      'If the task was deleted, the response is `410 TASK_DELETED`, with the receipt of the deletion, also to a request that',
      'waits. See [verifying changes](/docs/verification).',
    ),
  },
  query: v.object({ ...expectations, wait: secondsToWait('all expectations to be met') }),
  response: dataBody(verificationResult),
  refusals: ['TASK_DELETED'],
  view: noView,

  async read({ projectId, params, query }, db) {
    requireExpectation(query)
    const data = verify(query, await findPacket(db, projectId!, params['taskId']!))
    return { ...jsonResponse(JSON.stringify({ data })), isPending: !data.verified }
  },

  /** Only the digest depends on more than the row of the task. */
  concerns({ projectId, params, query: { digest } }) {
    const taskId = params['taskId']!.toLowerCase()
    return (scope, tasks) =>
      digest === null
        ? scope === projectId && (tasks === null || tasks.has(taskId))
        : scope === projectId || scope === directory
  },
})
