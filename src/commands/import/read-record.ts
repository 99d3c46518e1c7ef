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
  const at = [path, v.getDotPath(issue)].filter(Boolean).join('.')
  throw new InvalidValue(at, issue.received, issue.input === undefined ? 'is missing' : `must be ${issue.expected}`)
}
