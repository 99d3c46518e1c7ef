// What a client may expect of a task, and whether it is so.

import * as v from 'valibot'
import { filter, idOrNone, shownMoment } from '../../api/lists/filters.ts'
import { Problem } from '../../api/problems/problem.ts'
import { priorities, taskStates } from '../../api/schema/values.ts'
import { described } from '../../api/schema/response-schemas.ts'
import type { Found } from './packets.ts'

const oneOf = (values: readonly string[]) => filter(v.picklist(values, `takes one of ${values.join(', ')}`))
const oneIdOrNone = described(
  filter(
    v.pipe(
      v.string(),
      v.check((value) => v.is(idOrNone, value), 'takes an id (a UUID) or none'),
      idOrNone,
    ),
  ),
  'An id, or `none`.',
)

/** Null where nothing is expected. */
export const expectations = {
  state: oneOf(taskStates),
  stageId: oneIdOrNone,
  assigneeId: oneIdOrNone,
  priority: oneOf(priorities),
  minVersion: described(
    filter(
      v.pipe(
        v.string(),
        v.regex(/^[1-9]\d{0,14}$/, 'takes a whole number from 1 on'),
        v.transform(Number),
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(999_999_999_999_999),
      ),
    ),
    'Met by this version of the task and later ones.',
  ),
  digest: described(
    filter(
      v.pipe(
        v.string(),
        v.regex(/^sha256:[0-9a-fA-F]{64}$/, 'takes sha256: and 64 hex digits'),
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

const same = (expected: Value, actual: Value) => expected === (actual ?? 'none')
const atLeast = (expected: Value, actual: Value) => Number(actual) >= Number(expected)
const notBefore = (expected: Value, actual: Value) =>
  actual !== null && Date.parse(String(actual)) >= Date.parse(String(expected))

// prettier-ignore
const checks: Record<Name, [actual: (found: Found) => Value, holds: (expected: Value, actual: Value) => boolean]> = {
  state:          [({ packet }) => packet.task.state,       same],
  stageId:        [({ packet }) => packet.task.stageId,     same],
  assigneeId:     [({ packet }) => packet.task.assigneeId,  same],
  priority:       [({ packet }) => packet.task.priority,    same],
  minVersion:     [({ packet }) => packet.version,          atLeast],
  digest:         [({ digest }) => digest,                  same],
  completedAfter: [({ packet }) => packet.task.completedAt, notBefore],
}

export const names = Object.keys(checks) as Name[]

/** There has to be an expectation: without any, everything would be verified. */
export function refuseNone(expected: Expectations): void {
  if (names.some((name) => expected[name] !== null)) return
  const message = `Give at least one expectation: ${names.join(', ')}.`
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

/** In the order of the fields of the answer. */
export function verify(expected: Expectations, found: Found): Verification {
  const { packet, digest } = found
  const checks = names.filter((name) => expected[name] !== null).map((name) => check(name, expected[name], found))
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

function check(name: Name, expected: Value, found: Found): Check {
  const [actualOf, holds] = checks[name]
  const actual = actualOf(found)
  return { name, expected, actual, ok: holds(expected, actual) }
}
