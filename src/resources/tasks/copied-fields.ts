// The fields of tasks whose value is that of a column, in responses, writes, the history, imports and exports alike. A new one is a
// line here, a column in sql/migrations, and its name among those that workgate.kinds shows.

import * as v from 'valibot'
import { textFormats } from '../../api/input/values.ts'
import { day, extensible, maxInteger, text, whole } from '../../api/responses/response-schemas.ts'

export interface CopiedField {
  column: string
  form: 'textFormat' | 'type' | 'day' | 'whole' | 'url'
  /** For the OpenAPI document. */
  text?: string
  /** For whole numbers: the things that they count, the largest number, and an example. */
  unit?: string
  max?: number
  example?: string
}

/** The schemas are those of responses; copied-input.ts has those of writes. */
export const forms = {
  textFormat: { type: 'text', schema: () => extensible(v.picklist(textFormats)) },
  type: { type: 'text', schema: () => v.pipe(text(1, 100), v.regex(/^[^A-Z,]+$/)) },
  day: { type: 'date', schema: () => day },
  whole: { type: 'integer', schema: ({ max = maxInteger }: CopiedField) => whole(0, max) },
  url: { type: 'text', schema: () => v.pipe(text(1, 2_000), v.regex(/^https?:\/\/\S+$/)) },
} as const

/** In the order of responses. */
export const copiedFields = {
  descriptionFormat: {
    column: 'description_format',
    form: 'textFormat',
    text: 'How the description is marked up; `jira` is the wiki markup of Jira. `null` if it is not known.',
  },
  type: {
    column: 'type',
    form: 'type',
    text: 'Such as `epic`, `bug` or `story`: any text in lower case, without commas.',
  },
  startDate: { column: 'start_date', form: 'day' },
  dueDate: { column: 'due_date', form: 'day', text: 'An open task is overdue from the following day, in UTC.' },
  estimateSeconds: { column: 'estimate_seconds', form: 'whole', unit: 'seconds', example: '3600' },
  externalUrl: {
    column: 'external_url',
    form: 'url',
    text: 'The address of the task in the tool that it comes from.',
  },
} as const satisfies Record<string, CopiedField>

type Fields = typeof copiedFields

/** Makes something of each field. The caller names the type of the result. */
export const ofCopied = <Result>(make: (field: CopiedField, name: string) => unknown) =>
  Object.fromEntries(Object.entries(copiedFields).map(([name, field]) => [name, make(field, name)])) as Result

export const describedBy = <Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
  text: string | undefined,
) => (text === undefined ? schema : v.pipe(schema, v.description(text)))

type Shown<Form extends keyof typeof forms> = v.NullableSchema<ReturnType<(typeof forms)[Form]['schema']>, undefined>

export const shownFields = ofCopied<{ [Name in keyof Fields]: Shown<Fields[Name]['form']> }>((field) =>
  describedBy(v.nullable<v.GenericSchema>(forms[field.form].schema(field)), field.text),
)
