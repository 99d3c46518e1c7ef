// GET /projects/:projectId/work-packets/verification

import * as v from 'valibot'
import { jsonResponse } from '../../api/responses/response.ts'
import { integerUpTo, secondsToWait } from '../../api/input/query-string.ts'
import { isUuid } from '../../api/input/values.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { expectedOwnFields } from '../../api/lists/own-field-filters.ts'
import { externalIds, filter, filterParams, maxFilterValues, numbers, taskNames } from '../../api/lists/filters.ts'
import { invalid, notFound, Problem } from '../../api/problems/problem.ts'
import {
  dataBody,
  described,
  id,
  listUpTo,
  moment,
  named,
  whole,
  writer,
} from '../../api/responses/response-schemas.ts'
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
import { deletion, deletionOf } from '../tasks/deletion.ts'
import namedTask from '../../../sql/tasks/named-task.sql'
import verifyTasksSql from '../../../sql/work-packets/verify-tasks.sql'

interface Row {
  projectFound: boolean
  ambiguous: string
  verifiedCount: number
  deletedCount: number
  tasks: string
}

const sql = include(verifyTasksSql, { namedTask, deletion: deletionOf('w.id') })
/** Every task is found by its name, so one plan is right for all of them. */
export const verifyTasks = query<Row>(withChecks(sql), () => 'generic')

const maxTasks = maxFilterValues
const { digest: _, ...expectations } = parameters

const lastChange = named('LastChange', 'The latest change to a task.', { version: taskVersion, by: writer, at: moment })

const verifiedTask = named('VerifiedTask', 'The result of verifying one of several tasks.', {
  name: described(v.string(), 'The id, number, reference or external id in the request.'),
  taskId: described(
    v.nullable(id),
    'The id; `null` if the task does not exist, and is not known to have been deleted.',
  ),
  verified: described(v.boolean(), 'True if the task exists and meets all expectations, or is deleted as expected.'),
  checks: checkList,
  version: described(v.nullable(taskVersion), 'The version of the task; `null` if it does not exist.'),
  state: described(v.nullable(taskState), 'The state of the task; `null` if it does not exist.'),
  lastChange: described(v.nullable(lastChange), 'The latest change, without its fields; `null` if there is none.'),
  deletion: described(v.nullable(deletion), 'The deletion of the task; `null` if it exists, or never existed.'),
})

const verification = named('ProjectVerification', 'The result of verifying several tasks of a project.', {
  verified: described(v.boolean(), 'True if all tasks are verified; with `minVerified`, if so many are.'),
  verifiedCount: described(whole(0, maxTasks), 'The number of tasks that are verified.'),
  tasks: described(listUpTo(maxTasks, verifiedTask), 'One item for each task in the request, sorted by number.'),
})

export const verifyWorkPackets = readEndpoint({
  docs: {
    operationId: 'verifyWorkPackets',
    tag: 'Work packets',
    summary: 'Verify changes to several tasks',
    description: lines(
      `Compares up to ${maxTasks} tasks of a project with the same expectations, from one snapshot of the database. At least`,
      'one task and one expectation are required, which can be of [own fields](/docs/own-fields#verification).',
      '',
      'A task that does not exist yet meets no expectation. So you can wait until it is created: by `number`, by the',
      '`externalId` that it will get, or with an id in `taskIds`. `minVersion=1` only expects that it exists.',
      '',
      'With `wait` (seconds, up to 30), the response is held until all tasks are verified, or `minVerified` of them, or the',
      'time runs out. It ends early if too many of the tasks have been deleted. See',
      '[several tasks at once](/docs/verification#several-tasks-at-once).',
    ),
  },
  query: v.object({
    taskIds: described(
      taskNames,
      'Tasks, by id, number or reference. A reference with the key of another project means no task.',
    ),
    number: described(numbers, 'Tasks, by number.'),
    externalId: externalIds,
    minVerified: described(filter(integerUpTo(maxTasks)), 'The number of tasks that must be verified. Default: all.'),
    ...expectations,
    fields: expectedOwnFields,
    wait: secondsToWait('the tasks to be verified'),
  }),
  response: dataBody(verification),
  view: noView,

  async read({ projectId, query }, db) {
    const { taskIds, number, externalId, minVerified, wait: _, fields, ...others } = query
    const expected: Expectations = { ...others, ...filterParams({ fields }) }
    const names = [...new Set([...(taskIds ?? []), ...(number ?? [])])]
    const count = names.length + (externalId?.length ?? 0)
    const least = requireCount(count, minVerified)
    requireExpectation(expected)
    const [row] = await verifyTasks(db, { projectId, names, externalIds: externalId ?? [], ...expected })
    const { projectFound, ambiguous, verifiedCount, deletedCount, tasks } = row!
    if (!projectFound) throw notFound('project')
    refuseAmbiguous(ambiguous)
    const verified = verifiedCount >= least
    const canBeVerified = expected['deleted'] === true || count - deletedCount >= least
    const data = `{"verified":${verified},"verifiedCount":${verifiedCount},"tasks":${tasks}}`
    return { ...jsonResponse(`{"data":${data}}`), isPending: !verified && canBeVerified }
  },

  concerns: ({ projectId, query: { taskIds, number, externalId, ...expected } }) =>
    concernsOf(projectId!, expected, number || externalId || !taskIds?.every(isUuid) ? undefined : taskIds),
})

/** Returns the number of tasks that must be verified. */
function requireCount(count: number, minVerified: number | null): number {
  const fault = (name: string, message: string) => invalid({ in: 'query', name, message })
  if (count === 0) {
    const message = 'Give at least one task: taskIds, number or externalId.'
    throw new Problem('VALIDATION_FAILED', message, { faults: [{ in: 'query', name: '?', message }] })
  }
  if (count > maxTasks) throw fault('taskIds', `must be at most ${maxTasks} tasks, with number and externalId`)
  if (minVerified !== null && minVerified > count) throw fault('minVerified', 'must be at most the number of tasks')
  return minVerified ?? count
}
