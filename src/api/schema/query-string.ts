// From the query of a URL to what an endpoint's schema says. Nothing is ignored: what is unknown, repeated or broken
// is a fault, and a name that is nearly right gets a hint.

import * as v from 'valibot'
import { invalid, maxFaults, type Fault } from '../problems/problem.ts'
import { unknownName } from './unknown-names.ts'

export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>

export function parseQuery<Schema extends QuerySchema>(schema: Schema, search: string): v.InferOutput<Schema> {
  const faults: Fault[] = []
  const fault = (name: string, message: string) => faults.push({ in: 'query', name, message })
  const given: Record<string, string> = Object.create(null)
  const names = Object.keys(schema.entries)

  for (const part of search.split('&')) {
    // What is beyond them is not told, and what a name may have meant takes long to find out.
    if (faults.length === maxFaults) break
    if (part === '') continue
    const [rawName, ...rest] = part.split('=')
    const name = decode(rawName!)
    const value = decode(rest.join('='))
    if (name === undefined || value === undefined) {
      fault(name ?? '?', 'is not percent-encoded UTF-8')
    } else if (!names.includes(name)) {
      faults.push({ in: 'query', ...unknownName(name, names) })
    } else if (name in given) {
      fault(name, 'may be given once; where it takes several values, commas separate them')
    } else if (value.includes('\0')) {
      fault(name, 'must not contain the character NUL')
    } else {
      given[name] = value
    }
  }

  const parsed = v.safeParse(schema, given)
  for (const issue of parsed.issues ?? []) fault(v.getDotPath(issue) ?? '?', issue.message)
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
