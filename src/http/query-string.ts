// From the query of a URL to what an endpoint's schema says. Nothing is ignored: what is unknown, repeated or broken
// is a fault, and a name that is nearly right gets a hint.

import * as v from 'valibot'
import { invalid, type Fault } from '../problem.ts'

export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>

export function parseQuery<Schema extends QuerySchema>(schema: Schema, search: string): v.InferOutput<Schema> {
  const faults: Fault[] = []
  const fault = (name: string, message: string) => faults.push({ in: 'query', name, message })
  const given: Record<string, string> = Object.create(null)
  const names = Object.keys(schema.entries)

  for (const part of search.split('&')) {
    if (part === '') continue
    const [rawName, ...rest] = part.split('=')
    const name = decode(rawName!)
    const value = decode(rest.join('='))
    if (name === undefined || value === undefined) {
      fault(name ?? '?', 'is not percent-encoded UTF-8')
    } else if (!names.includes(name)) {
      fault(shorten(name), unknownMessage(name, names))
    } else if (name in given) {
      fault(name, 'may be given once; several values go into one, separated by commas')
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

function unknownMessage(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'is unknown: there are no parameters here'
  const meant = nearest(name, names)
  return meant ? `is unknown; did you mean ${meant}?` : `is unknown; there are ${names.join(', ')}`
}

/** A name may be long, and may be a secret that went into the wrong place. */
function shorten(name: string): string {
  return name.length > 32 ? name.slice(0, 8) + '…' : name
}

export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distance(fold(word), fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

function fold(word: string): string {
  return word.slice(0, 40).toLowerCase().replaceAll(/[_-]/g, '')
}

/** Levenshtein's: how many letters to add, drop or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
