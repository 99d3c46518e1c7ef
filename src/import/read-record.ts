// Checks a JSON record against the schema of its format.

import * as v from 'valibot'
import { InvalidValue } from './invalid.ts'

/** `path` is where the record is in the one that the file contains. */
export function readRecord<Schema extends v.GenericSchema>(
  schema: Schema,
  record: unknown,
  path = '',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, record, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalidValue([path, v.getDotPath(issue)].filter(Boolean).join('.'), issue)
}

/** Describes an issue in the words of this service. */
export function invalidValue(path: string, { input, expected, message }: v.BaseIssue<unknown>): InvalidValue {
  if (input === undefined) return new InvalidValue(path, '', 'is missing')
  const value = describe(input)
  // The library has its own messages for what has none.
  if (!message.startsWith('Invalid ')) return new InvalidValue(path, value, message)
  const wanted = (expected ?? '').replaceAll(/[()"]/g, '').split(' | ')
  const rule = `must be ${wanted.map((name) => types[name] ?? name).join(' or ')}`
  return new InvalidValue(path, value, input === null ? `${rule}, not null` : rule)
}

/** An object can be too large, or nested too deeply, to be shown. */
function describe(input: unknown): string {
  if (typeof input === 'string') return input
  if (input === null) return ''
  return Array.isArray(input) ? 'an array' : typeof input === 'object' ? 'an object' : String(input)
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  Array: 'an array',
  Object: 'an object',
}
