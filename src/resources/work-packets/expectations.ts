// Checks whether a task meets the expectations of a client.

import * as v from 'valibot'
import { integerUpTo } from '../../api/input/query-string.ts'
import { filter, idOrNone, shownMoment } from '../../api/lists/filters.ts'
import { Problem } from '../../api/problems/problem.ts'
import { priorities, taskStates } from '../../api/input/values.ts'
import { described } from '../../api/responses/response-schemas.ts'
import type { DigestedPacket } from './packet.ts'

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
  minVersion: described(filter(integerUpTo(999_999_999_999_999)), 'The lowest accepted version of the task.'),
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
type Expectations = Readonly<Record<Name, Value>>

const isSame = (expected: Value, actual: Value) => expected === (actual ?? 'none')
const isAtLeast = (expected: Value, actual: Value) => Number(actual) >= Number(expected)
const isNotBefore = (expected: Value, actual: Value) =>
  actual !== null && Date.parse(String(actual)) >= Date.parse(String(expected))

// prettier-ignore
const rules: Record<Name, [getActual: (found: DigestedPacket) => Value, isMet: (expected: Value, actual: Value) => boolean]> = {
  state:          [({ packet }) => packet.task.state,       isSame],
  stageId:        [({ packet }) => packet.task.stageId,     isSame],
  assigneeId:     [({ packet }) => packet.task.assigneeId,  isSame],
  priority:       [({ packet }) => packet.task.priority,    isSame],
  minVersion:     [({ packet }) => packet.version,          isAtLeast],
  digest:         [({ digest }) => digest,                  isSame],
  completedAfter: [({ packet }) => packet.task.completedAt, isNotBefore],
}

export const expectationNames = Object.keys(rules) as Name[]

/** Without any expectation, every task would be verified. */
export function requireExpectation(expected: Expectations): void {
  if (expectationNames.some((name) => expected[name] !== null)) return
  const message = `Give at least one expectation: ${expectationNames.join(', ')}.`
  throw new Problem('VALIDATION_FAILED', message, { faults: [{ in: 'query', name: '?', message }] })
}

export type Verification = ReturnType<typeof verify>

/** The checks are in the order of the query parameters. */
export function verify(expectations: Expectations, found: DigestedPacket) {
  const { packet, digest } = found
  const expectedNames = expectationNames.filter((name) => expectations[name] !== null)
  const checks = expectedNames.map((name) => {
    const [getActual, isMet] = rules[name]
    const [expected, actual] = [expectations[name], getActual(found)]
    return { name, expected, actual, ok: isMet(expected, actual) }
  })
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
