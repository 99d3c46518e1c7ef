// The checks of expectations: their query parameters, the parts of the statements that examine a task, and their schema.

import * as v from 'valibot'
import { directory } from '../../api/freshness/freshness.ts'
import { isUuid } from '../../api/input/values.ts'
import { filter } from '../../api/lists/filters.ts'
import { undeclared } from '../../api/lists/own-field-filters.ts'
import { invalid, Problem } from '../../api/problems/problem.ts'
import { described, moment, named, writer } from '../../api/responses/response-schemas.ts'
import type { Wish } from '../../api/waiting.ts'
import { include, partsOf } from '../../db/statements/template.ts'
import { expectations, type Expectation, type Expected } from './expectations.ts'
import checksSql from '../../../sql/work-packets/checks.sql'

/** Null or absent: nothing is expected. Of own fields, the parameters of the statement. */
export type Expectations = Readonly<Record<string, Expected | readonly string[]>>

const part = partsOf(checksSql)
const rows = Object.entries(expectations)
const names = rows.map(([name]) => name)

export const parameters = Object.fromEntries(
  rows.map(([name, { input, meaning }]) => [name, described(filter(input), `${meaning}.`)]),
)

/** The part of a statement that is only needed if this is expected. */
const whenExpected = (name: string, sql: string) => `{{#${name}}}\n${sql}\n{{/${name}}}\n`

function checkOf(name: string, { sql, type, isMet, shown }: Expectation, n: number): string {
  const expected = `:${name}::${type}`
  const asJson = shown?.(expected) ?? `to_json(${expected})`
  return include(part('check'), { n: `${n}`, name, expected: asJson, isMet: isMet(expected), evidence: sql! })
}

const all = [
  ...rows.map(([name, row], n) => (row.sql ? whenExpected(name, checkOf(name, row, n)) : '')),
  include(part('ownFields'), { n: `${rows.length}`, change: part('change') }),
]

const ambiguous = rows.map(([name, { people }]) =>
  people ? whenExpected(name, `case when cardinality(${people}) > 1 then '${name},' end,`) : '',
)

/**
 * Completes a statement that examines tasks. {{ambiguous}} are the parameters that mean several people, and the own fields that
 * are not declared.
 */
export const withChecks = (sql: string): string =>
  include(sql, {
    checks: part('allChecks'),
    all: all.join(''),
    ambiguous: ambiguous.join('') + part('undeclared'),
    project: ':projectId',
  })

/** Without any expectation, every task would be verified. */
export function requireExpectation(expected: Expectations): void {
  if ([...names, 'fieldsNames'].some((name) => (expected[name] ?? null) !== null)) return
  const message = 'Give at least one expectation, such as state=completed. See /docs/verification#verification-reads.'
  throw new Problem('VALIDATION_FAILED', message, { faults: [{ in: 'query', name: '?', message }] })
}

export function refuseAmbiguous(ambiguous: string): void {
  const message = (name: string) =>
    name.startsWith('fields.')
      ? undeclared
      : 'is the name of several users of this project; give an id or an e-mail address'
  const found = ambiguous.split(',').filter(Boolean)
  if (found.length > 0) throw invalid(...found.map((name) => ({ in: 'query' as const, name, message: message(name) })))
}

/** The changes that can meet expectations of these tasks; undefined if they are not only named by id. */
export function concernsOf(
  projectId: string,
  expected: Readonly<Record<string, unknown>>,
  taskIds: readonly string[] | undefined,
): Wish['concerns'] {
  const given = rows.filter(([name]) => (expected[name] ?? null) !== null)
  const byName = given.some(
    ([name, { people }]) => people && expected[name] !== 'none' && !isUuid(String(expected[name])),
  )
  const levels = new Set(given.map(([, { dependsOn }]) => dependsOn))
  const onUsers = byName || levels.has('everything')
  const onProject = onUsers || levels.has('project') || !taskIds
  return (scope, tasks) =>
    scope === directory ? onUsers : scope === projectId && (onProject || !tasks || taskIds.some((id) => tasks.has(id)))
}

const value = v.union([v.string(), v.number(), v.boolean()])

const check = named('Check', 'The result of checking one expectation.', {
  name: described(v.string(), 'The parameter of the expectation, such as `state` or `fields.sprint`.'),
  expected: value,
  actual: v.union([...value.options, v.null()]),
  ok: v.boolean(),
  by: described(
    v.nullable(writer),
    'The writer of the change that met the expectation; `null` if it is not met, or if the change is not known.',
  ),
  at: described(v.nullable(moment), 'The time of this change, or `null`.'),
})

export const checkList = described(
  // More than there are, because a longer list would break clients that check it.
  v.pipe(v.array(check), v.minLength(1), v.maxLength(100)),
  'One check for each expectation.',
)
