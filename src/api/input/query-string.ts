// Parses and validates query strings. Nothing is ignored: unknown or malformed parameters are faults, and so are
// duplicate ones, unless they take several values. A misspelled name gets a suggestion.

import * as v from 'valibot'
import { described } from '../responses/response-schemas.ts'
import { invalid, maxFaults, type Fault } from '../problems/problem.ts'
import { describeUnknownName } from './unknown-names.ts'

export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>

/** Splits the values of a parameter that takes several: "a=1&a=2" and "a=1,2" mean the same. */
export const splitValues = v.transform((text: string) => text.split(','))

/** An integer between 1 and `max`. */
export function integerUpTo(max: number) {
  const rule = `must be an integer between 1 and ${max}`
  const digits = new RegExp(`^[1-9]\\d{0,${String(max).length - 1}}$`)
  const text = v.pipe(v.string(), v.regex(digits, rule))
  return v.pipe(text, v.transform(Number), v.number(), v.integer(), v.minValue(1), v.maxValue(max, rule))
}

/** A number of seconds; none by default. `what` ends the wait, as in "for … ". */
export function secondsToWait(what: string) {
  const rule = 'must be a number of seconds between 0 and 30, with up to three decimals'
  const text = v.pipe(v.string(), v.regex(/^\d{1,2}(\.\d{1,3})?$/, rule))
  const seconds = v.pipe(text, v.transform(Number), v.number(), v.minValue(0), v.maxValue(30, rule))
  return described(
    v.optional(seconds, '0'),
    `The maximum number of seconds to wait for ${what}, with up to three decimals.`,
  )
}

export function parseQuery<Schema extends QuerySchema>(schema: Schema, search: string): v.InferOutput<Schema> {
  const faults: Fault[] = []
  const addFault = (name: string, message: string) => faults.push({ in: 'query', name, message })
  const values: Record<string, string> = Object.create(null)
  /** By name, with the operator at its end. */
  const ownFields: Record<string, string[]> = Object.create(null)
  const takesOwnFields = 'fields' in schema.entries
  const names = Object.keys(schema.entries).filter((name) => name !== 'fields')

  for (const part of search.split('&')) {
    // Further faults would not be reported, and suggestions are slow to compute.
    if (faults.length === maxFaults) break
    if (part === '') continue
    const [rawName, ...rest] = part.split('=')
    const name = decode(rawName!)
    const value = decode(rest.join('='))
    const ownField = takesOwnFields ? name?.match(/^fields\.(.*)/)?.[1] : undefined
    if (name === undefined || value === undefined) {
      addFault(name ?? '?', 'is not valid percent-encoded UTF-8')
    } else if (ownField === undefined && !names.includes(name)) {
      faults.push({ in: 'query', ...describeUnknownName(name, takesOwnFields ? [...names, 'fields.…'] : names) })
    } else if (value.includes('\0')) {
      addFault(name, 'must not contain NUL')
    } else if (ownField !== undefined) {
      ;(ownFields[ownField] ??= []).push(value)
    } else if (name in values) {
      if (takesSeveral(schema.entries[name]!)) values[name] += `,${value}`
      else addFault(name, 'is given more than once, but takes only one value')
    } else {
      values[name] = value
    }
  }

  const parsed = v.safeParse(schema, takesOwnFields ? { ...values, fields: ownFields } : values)
  for (const issue of parsed.issues ?? []) addFault(v.getDotPath(issue) ?? '?', issue.message)
  if (!parsed.success || faults.length > 0) throw invalid(...faults)
  return parsed.output
}

/** A schema, or an action of its pipe. */
interface Step {
  kind: string
  wrapped?: Step
  pipe?: readonly Step[]
}

function takesSeveral(schema: Step): boolean {
  const { wrapped, pipe = [] } = schema
  return wrapped ? takesSeveral(wrapped) : pipe.some((step) => step === splitValues || takesSeveral(step))
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
