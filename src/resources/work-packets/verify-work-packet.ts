// GET /projects/:projectId/tasks/:taskId/work-packet/verification

import * as v from 'valibot'
import { jsonResponse } from '../../api/responses/response.ts'
import { filterParams } from '../../api/lists/filters.ts'
import { expectedOwnFields } from '../../api/lists/own-field-filters.ts'
import { secondsToWait } from '../../api/input/query-string.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { idInPath } from '../../api/input/object-names.ts'
import { dataBody, described, id, named } from '../../api/responses/response-schemas.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { taskState, taskVersion } from '../tasks/task.ts'
import {
  checkList,
  concernsOf,
  parameters,
  refuseAmbiguous,
  requireExpectation,
  withChecks,
  type Expectations,
} from './checks.ts'
import type { Expected } from './expectations.ts'
import type { Deletion } from '../tasks/deletion.ts'
import { historyChange } from './history.ts'
import { openPacket, packetSql, type PacketRow } from './packet.ts'
import { packetDigest } from './work-packet.ts'
import verifyTaskSql from '../../../sql/work-packets/verify-task.sql'

interface Row extends PacketRow {
  checks: string
  ok: boolean
  ambiguous: string
}

/** The statement finds everything by the ids of the task, so one plan is right for all of them. */
export const verifyTask = query<Row>(withChecks(include(verifyTaskSql, { packet: packetSql })), () => 'generic')

const verification = named('Verification', 'The result of verifying a task.', {
  taskId: id,
  verified: described(v.boolean(), 'True if all expectations are met.'),
  checks: checkList,
  version: described(taskVersion, 'The version of the task; of a deleted task the last one.'),
  state: described(v.nullable(taskState), 'The state of the task; `null` if it was deleted.'),
  digest: described(v.nullable(packetDigest), 'The digest of the work packet; `null` if the task was deleted.'),
  lastChange: described(
    v.nullable(historyChange),
    'The latest history entry; `null` if the history is empty, or if the task was deleted.',
  ),
})

export const verifyWorkPacket = readEndpoint({
  docs: {
    operationId: 'verifyWorkPacket',
    tag: 'Work packets',
    summary: 'Verify a change to a task',
    description: lines(
      'Compares the task with your expectations and returns whether each one is met, and if so, which change met it. At',
      'least one expectation is required: any parameter except `wait`.',
      '`fields.sprint=Sprint 3` expects a value of an [own field](/docs/own-fields#verification).',
      '',
      'With `wait` (seconds, up to 30), the response is held until all expectations are met or the time runs out. It',
      'contains the state at that moment. The wait ends within a quarter of a second of the commit, whichever channel',
      'the change came through. The key is checked again before a held response is sent.',
      '',
      'If the task was deleted, the response is `410 TASK_DELETED`, with the receipt of the deletion, also to a request that',
      'waits, unless you expect `deleted=true`. See [verifying changes](/docs/verification).',
    ),
  },
  query: v.object({ ...parameters, fields: expectedOwnFields, wait: secondsToWait('all expectations to be met') }),
  response: dataBody(verification),
  refusals: ['TASK_DELETED'],
  view: noView,

  async read({ projectId, params, query }, db) {
    const { wait: _, fields, ...others } = query
    const all: Expectations = { ...others, ...filterParams({ fields }) }
    requireExpectation(all)
    const { digest, ...expected } = all
    const [row] = await verifyTask(db, { projectId, taskId: idInPath(params['taskId']!, 'task'), ...expected })
    refuseAmbiguous(row!.ambiguous)
    const isGone = row!.projectFound && row!.packet === null && row!.deletion !== null
    const data = isGone && expected['deleted'] ? ofDeleted(row!) : verify(row!, digest as Expected)
    return { ...jsonResponse(JSON.stringify({ data })), isPending: !data.verified }
  },

  concerns: ({ projectId, params, query }) => concernsOf(projectId!, query, [params['taskId']!.toLowerCase()]),
})

function verify(row: Row, expectedDigest: Expected) {
  const { packet, digest } = openPacket(row)
  const isSame = digest === expectedDigest
  const digestCheck = { name: 'digest', expected: expectedDigest, actual: digest, ok: isSame, by: null, at: null }
  return {
    taskId: packet.task.id,
    verified: row.ok && (isSame || expectedDigest === null),
    checks: [...JSON.parse(row.checks), ...(expectedDigest === null ? [] : [digestCheck])],
    version: packet.version,
    state: packet.task.state,
    digest,
    lastChange: packet.history.items[0] ?? null,
  }
}

function ofDeleted({ ok, checks, deletion }: Row) {
  const { taskId, version } = JSON.parse(deletion!) as Deletion
  return { taskId, verified: ok, checks: JSON.parse(checks), version, state: null, digest: null, lastChange: null }
}
