// Filters by own fields, whose names only the database knows: fields.sprint=Sprint 3, fields.storyPoints>=5. They set the
// parameters of sql/tasks/own-field-filters.sql. The OpenAPI document has no parameters for them: generators of clients need names.

import * as v from 'valibot'
import { isDay } from '../input/values.ts'
import { fieldNamePattern } from '../input/object-names.ts'
import { invalid, type Problem } from '../problems/problem.ts'
import type { Value } from '../../db/statements/template.ts'

const maxFields = 4
const maxValues = 100
const maxLength = 200
const maxExpected = 20

/** The conditions on one field, by what follows its name in a query string, before the equals sign. */
interface Conditions {
  name: string
  is: readonly string[]
  from: string | undefined
  to: string | undefined
}

const namePattern = new RegExp(`^(${fieldNamePattern.source.slice(1, -1)})([<>]?)$`)
const numberPattern = /^-?\d{1,10}(\.\d{1,4})?$/
const isBound = (text: string) => numberPattern.test(text) || isDay(text)

/** Says what is wrong with a parameter. */
function faultOf(name: string, values: readonly string[]): string | undefined {
  const [, , operator] = namePattern.exec(name) ?? []
  if (operator === undefined) return 'must be fields.NAME of an own field, with =, >= or <='
  if (operator === '') {
    if (values.length > maxValues) return `must have at most ${maxValues} values`
    const isText = values.every((value) => value.trim() !== '' && Array.from(value).length <= maxLength)
    return isText ? undefined : `must be a value of 1 to ${maxLength} characters, or none`
  }
  if (values.length > 1) return 'is given more than once, but takes only one value'
  return values.every(isBound) ? undefined : 'must be a number, or a date such as 2026-11-21'
}

function conditionsOf(given: Given): Conditions[] {
  const names = new Set(Object.keys(given).map((name) => name.replace(/[<>]$/, '')))
  return [...names].sort().map((name) => ({
    name,
    is: [...new Set(given[name])].sort(),
    from: given[`${name}>`]?.[0],
    to: given[`${name}<`]?.[0],
  }))
}

/** A text can also mean a number, true or false. */
function othersOf(text: string): string[] {
  if (text === 'true' || text === 'false') return [text]
  return numberPattern.test(text) ? [String(Number(text))] : []
}

/** The type that has such bounds; any type if there are none. */
const typeOf = ({ from, to }: Conditions) => {
  const bound = from ?? to
  return bound === undefined ? 'any' : isDay(bound) ? 'date' : 'number'
}

const limits = { date: ['0001-01-01', '9999-12-31'], number: ['-1000000000', '1000000000'] } as const

function boundsOf(condition: Conditions): Record<string, Value> {
  const type = typeOf(condition)
  if (type === 'any') return {}
  const [lowest, highest] = limits[type]
  const { from = lowest, to = highest } = condition
  return type === 'date' ? { From: JSON.stringify(from), To: JSON.stringify(to) } : { From: from, To: to }
}

function valuesOf({ is }: Conditions): Record<string, Value> {
  const texts = is.filter((text) => text !== 'none')
  if (is.length === 0) return {}
  if (texts.length === 0) return { IsNone: true }
  const values = texts.flatMap((text) => [JSON.stringify(text), ...othersOf(text)])
  return { [texts.length === is.length ? 'Is' : 'OrNone']: values, Texts: texts }
}

function parametersOf(conditions: readonly Conditions[]): Readonly<Record<string, Value>> {
  const [first, second] = conditions
  if (!first) return {}
  const all = { Names: conditions.map(({ name }) => name), Types: conditions.map(typeOf) }
  const [text, another] = first.is
  // The only condition is one value, for which there can be an index.
  if (!second && typeOf(first) === 'any' && text !== 'none' && another === undefined)
    return {
      ...all,
      OneName: first.name,
      One: JSON.stringify(text),
      OneText: text!,
      OneOther: othersOf(text!)[0] ?? null,
    }
  return Object.assign(
    all,
    ...conditions.map((condition, index) => {
      const parameters = { Name: condition.name, ...valuesOf(condition), ...boundsOf(condition) }
      return Object.fromEntries(Object.entries(parameters).map(([suffix, value]) => [`${index + 1}${suffix}`, value]))
    }),
  )
}

const slots = Array.from({ length: maxFields }, (_, index) => index + 1)

/** Makes the conditions of all fields from those of one, {{n}}. */
export const ofEachField = (sql: string) => slots.map((n) => sql.replaceAll('{{n}}', String(n))).join('\n')

/** By name, with an operator at the end; see query-string.ts. */
type Given = Readonly<Record<string, readonly string[]>>

/** The schema of the conditions, which `faultsIn` checks: it yields the names of parameters with what is wrong with them. */
function conditionsSchema(
  faultsIn: (given: Given) => Iterable<readonly [name: string, message: string]>,
  toParameters: (given: Given) => Readonly<Record<string, Value>>,
) {
  const given = v.pipe(
    v.unknown(),
    v.transform((given) => given as Given),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const input = dataset.value
      for (const [key, message] of faultsIn(input))
        addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
    }),
    v.transform(toParameters),
  )
  return v.optional(given, {})
}

function* faultsInFilters(given: Given): Generator<[name: string, message: string]> {
  for (const [name, values] of Object.entries(given)) {
    const message = faultOf(name, values)
    if (message) yield [name, message]
  }
  const conditions = conditionsOf(given)
  for (const { name, from, to } of conditions)
    if (from !== undefined && to !== undefined && isDay(from) !== isDay(to))
      yield [`${name}<`, `must be a ${isDay(from) ? 'date' : 'number'}, as the other bound is`]
  if (conditions.length > maxFields)
    yield [conditions[maxFields]!.name, `is one field too many: at most ${maxFields} are allowed`]
}

export const ownFields = conditionsSchema(faultsInFilters, (given) => parametersOf(conditionsOf(given)))

function* faultsInExpectations(given: Given): Generator<[name: string, message: string]> {
  for (const [name, values] of Object.entries(given)) {
    if (/[<>]$/.test(name)) yield [name, 'must be fields.NAME of an own field, with =']
    const message = values.length > 1 ? 'is given more than once, but takes only one value' : faultOf(name, values)
    if (message) yield [name, message]
  }
  const further = Object.keys(given)[maxExpected]
  if (further !== undefined) yield [further, `is one field too many: at most ${maxExpected} are allowed`]
}

export const expectedOwnFields = conditionsSchema(faultsInExpectations, (given) => {
  const names = Object.keys(given)
  if (names.length === 0) return {}
  const values = names.map((name) => given[name]![0]!)
  return { Names: names, Values: values, Others: values.map((value) => othersOf(value)[0] ?? 'null') }
})

export const undeclared = 'is not declared here; see /docs/own-fields'

/** `found` names the field and the type that its condition needs. */
export function invalidField(found: string): Problem {
  const [name = '', type] = found.split('/')
  const message = type === 'any' ? undeclared : `is not declared as a ${type} here; see /docs/own-fields`
  return invalid({ in: 'query', name: `fields.${name}`, message })
}
