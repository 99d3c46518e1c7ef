// Checks whether a task meets the expectations of a client.

import * as v from 'valibot'
import { filter, idOrNone, shownMoment } from '../../api/lists/filters.ts'
import { Problem } from '../../api/problems/problem.ts'
import { priorities, taskStates } from '../../api/input/values.ts'
import { described } from '../../api/responses/response-schemas.ts'
import type { DigestedPacket } from './packets.ts'

const oneOf = (values: readonly string[]) => filter(v.picklist(values, `must be one of ${values.join(', ')}`))
const oneIdOrNone = described(
  filter(
    v.pipe(
      v.string(),
      v.check((value) => v.is(idOrNone, value), 'must be a UUID or "none"'),
      idOrNone,
    ),
  ),
  'An id, or `none`.',
)

/** The query parameters of expectations. Null means that nothing is expected. */
export const expectations = {
  state: described(oneOf(taskStates), 'The expected state.'),
  stageId: oneIdOrNone,
  assigneeId: oneIdOrNone,
  priority: described(oneOf(priorities), 'The expected priority.'),
  minVersion: described(
    filter(
      v.pipe(
        v.string(),
        v.regex(/^[1-9]\d{0,14}$/, 'must be an integer between 1 and 999999999999999'),
        v.transform(Number),
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(999_999_999_999_999),
      ),
    ),
    'The lowest accepted version of the task.',
  ),
  digest: described(
    filter(
      v.pipe(
        v.string(),
        v.regex(/^sha256:[0-9a-fA-F]{64}$/, 'must be sha256: followed by 64 hex digits'),
        v.toLowerCase(),
        v.examples([`sha256:${'0123456789abcdef'.repeat(4)}`]),
      ),
    ),
    'The `digest` of the work packet.',
  ),
  completedAfter: shownMoment,
}

type Name = keyof typeof expectations
type Value = string | number | null
export type Expectations = Readonly<Record<Name, Value>>

interface Check {
  name: string
  expected: Value
  actual: Value
  ok: boolean
}

const isSame = (expected: Value, actual: Value) => expected === (actual ?? 'none')
const isAtLeast = (expected: Value, actual: Value) => Number(actual) >= Number(expected)
const isNotBefore = (expected: Value, actual: Value) =>
  actual !== null && Date.parse(String(actual)) >= Date.parse(String(expected))

// prettier-ignore
const checks: Record<Name, [getActual: (found: DigestedPacket) => Value, isMet: (expected: Value, actual: Value) => boolean]> = {
  state:          [({ packet }) => packet.task.state,       isSame],
  stageId:        [({ packet }) => packet.task.stageId,     isSame],
  assigneeId:     [({ packet }) => packet.task.assigneeId,  isSame],
  priority:       [({ packet }) => packet.task.priority,    isSame],
  minVersion:     [({ packet }) => packet.version,          isAtLeast],
  digest:         [({ digest }) => digest,                  isSame],
  completedAfter: [({ packet }) => packet.task.completedAt, isNotBefore],
}

export const expectationNames = Object.keys(checks) as Name[]

/** Without any expectation, every task would be verified. */
export function requireExpectation(expected: Expectations): void {
  if (expectationNames.some((name) => expected[name] !== null)) return
  const message = `Give at least one expectation: ${expectationNames.join(', ')}.`
  throw new Problem('VALIDATION_FAILED', message, { faults: [{ in: 'query', name: '?', message }] })
}

export interface Verification {
  taskId: string
  verified: boolean
  checks: Check[]
  version: number
  state: string
  digest: string
  lastChange: { at: string } | null
}

/** The checks are in the order of the query parameters. */
export function verify(expected: Expectations, found: DigestedPacket): Verification {
  const { packet, digest } = found
  const checks = expectationNames
    .filter((name) => expected[name] !== null)
    .map((name) => check(name, expected[name], found))
  return {
    taskId: packet.task.id,
    verified: checks.every(({ ok }) => ok),
    checks,
    version: packet.version,
    state: packet.task.state,
    digest,
    lastChange: packet.history.items[0] ?? null,
  }
}

function check(name: Name, expected: Value, found: DigestedPacket): Check {
  const [getActual, isMet] = checks[name]
  const actual = getActual(found)
  return { name, expected, actual, ok: isMet(expected, actual) }
}
