// The schemas of copied fields in the bodies of writes and in imports.

import * as v from 'valibot'
import { maxInteger } from '../../api/responses/response-schemas.ts'
import { textFormats } from '../../api/input/values.ts'
import { choiceOf, day, taskType, text } from '../../api/writes/fields.ts'
import { copiedFields, describedBy, ofCopied, type CopiedField } from './copied-fields.ts'

function whole({ unit, max = maxInteger }: CopiedField) {
  const rule = `must be a whole number of ${unit}, 0 or more`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(0, rule), v.maxValue(max, `must be ${max} or less`))
}

const forms = {
  textFormat: () => choiceOf(textFormats),
  type: () => taskType,
  day: () => day,
  whole,
  url: () => v.pipe(text(0, 2_000), v.regex(/^https?:\/\/\S+$/, 'must be a URL that starts with http:// or https://')),
} as const

type Fields = typeof copiedFields
type Form<Name extends keyof Fields> = ReturnType<(typeof forms)[Fields[Name]['form']]>
export type CopiedValues = { [Name in keyof Fields]?: v.InferOutput<Form<Name>> | null | undefined }

export const writtenFields = ofCopied<{ [Name in keyof Fields]: v.NullishSchema<Form<Name>, null> }>((field) =>
  describedBy(v.nullish<v.GenericSchema, null>(forms[field.form](field), null), field.text),
)

type Imported<Schema extends v.GenericSchema<unknown, unknown>> = v.OptionalSchema<
  v.NullableSchema<Schema, undefined>,
  undefined
>
export const importedFields = ofCopied<{ [Name in keyof Fields]: Imported<Form<Name>> }>((field) =>
  v.optional(v.nullable<v.GenericSchema>(forms[field.form](field))),
)

export const copiedValues = (values: CopiedValues): CopiedValues =>
  Object.fromEntries(Object.keys(copiedFields).map((name) => [name, values[name as keyof Fields]]))
