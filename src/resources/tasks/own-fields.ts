// The own fields of tasks in writes and imports. sql/migrations/0020-own-fields.sql checks the types.

import * as v from 'valibot'
import { described } from '../../api/responses/response-schemas.ts'
import { fieldNamePattern, fieldNameRule } from '../../api/input/object-names.ts'
import type { fieldTypes } from '../../api/input/values.ts'
import { text } from '../../api/writes/fields.ts'
import { ownFieldsText } from './task.ts'

export const maxFields = 50
export const maxTexts = 100
export const maxTextLength = 10_000
export const maxFieldsBytes = 16_384

/** By what the database finds wrong: the value is undeclared, or should have the type. */
export const fieldRules: Readonly<Record<'undeclared' | (typeof fieldTypes)[number], string>> = {
  undeclared: 'is not declared for this project; an operator declares it with "workgate fields add"',
  text: `must be a text of 1 to ${maxTextLength} characters`,
  number: 'must be a number from -1000000000 to 1000000000, with up to four decimals',
  boolean: 'must be true or false',
  date: 'must be a date such as 2026-11-21',
  list: `must be a list of 1 to ${maxTexts} texts`,
}

const valueRule = 'must be a text, a number, true, false, null or a list of texts'
const aText = text(1, maxTextLength)
const isText = (value: unknown) => typeof value === 'string' && v.is(aText, value)
const isValue = (value: unknown) =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  isText(value) ||
  (Array.isArray(value) && value.length <= maxTexts && value.every(isText))

function faultOf(name: string, value: unknown): string | undefined {
  if (!fieldNamePattern.test(name)) return `is no name of a field: it ${fieldNameRule}`
  return isValue(value) ? undefined : valueRule
}

/** Indented, the text is at least as long as that of the database. */
const bytesOf = (fields: object) => Buffer.byteLength(JSON.stringify(fields, null, 1))

// The OpenAPI document says no more about the values, because generated clients have no types for a choice of them.
export const givenOwnFields = v.pipe(
  v.unknown(),
  v.check((fields) => typeof fields === 'object' && fields !== null && !Array.isArray(fields), 'must be an object'),
  v.metadata({ type: 'object', additionalProperties: {} }),
  v.transform((fields) => fields as Readonly<Record<string, unknown>>),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return
    const input = dataset.value
    for (const [key, value] of Object.entries(input)) {
      const message = faultOf(key, value)
      if (message) addIssue({ message, input: value, path: [{ type: 'object', origin: 'value', input, key, value }] })
    }
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    if (Object.keys(given).length > maxFields) addIssue({ message: `must have at most ${maxFields} names` })
    else if (bytesOf(given) > maxFieldsBytes) addIssue({ message: `must be at most ${maxFieldsBytes} bytes of JSON` })
  }),
)

export const writtenOwnFields = described(v.nullish(givenOwnFields, {}), `${ownFieldsText} Default: none.`)
