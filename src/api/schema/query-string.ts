// Parses and validates query strings. Nothing is ignored: unknown, duplicate or malformed parameters are faults, and a
// misspelled name gets a suggestion.

import * as v from 'valibot'
import { invalid, maxFaults, type Fault } from '../problems/problem.ts'
import { describeUnknownName } from './unknown-names.ts'

export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>

export function parseQuery<Schema extends QuerySchema>(schema: Schema, search: string): v.InferOutput<Schema> {
  const faults: Fault[] = []
  const addFault = (name: string, message: string) => faults.push({ in: 'query', name, message })
  const values: Record<string, string> = Object.create(null)
  const names = Object.keys(schema.entries)

  for (const part of search.split('&')) {
    // Further faults would not be reported, and suggestions are slow to compute.
    if (faults.length === maxFaults) break
    if (part === '') continue
    const [rawName, ...rest] = part.split('=')
    const name = decode(rawName!)
    const value = decode(rest.join('='))
    if (name === undefined || value === undefined) {
      addFault(name ?? '?', 'is not valid percent-encoded UTF-8')
    } else if (!names.includes(name)) {
      faults.push({ in: 'query', ...describeUnknownName(name, names) })
    } else if (name in values) {
      addFault(name, 'is given more than once; if it takes several values, separate them with commas')
    } else if (value.includes('\0')) {
      addFault(name, 'must not contain NUL')
    } else {
      values[name] = value
    }
  }

  const parsed = v.safeParse(schema, values)
  for (const issue of parsed.issues ?? []) addFault(v.getDotPath(issue) ?? '?', issue.message)
  if (!parsed.success || faults.length > 0) throw invalid(...faults)
  return parsed.output
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
