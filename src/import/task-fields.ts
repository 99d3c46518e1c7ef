// The fields of tasks that a column of a CSV file can have: by their names in the API, or as --column names them.

import { priorities, stageCategories, taskStates } from '../api/input/values.ts'
import { ofCopied } from '../resources/tasks/copied-fields.ts'
import { ownFieldOf } from './columns.ts'
import type { Task } from './objects.ts'
import { personFrom } from './people.ts'
import type { Row } from './row.ts'
import { knownMeaning, priorityMeaning } from './status-words.ts'

/** Reads the value of a column. `factor` multiplies numbers. */
type ReadField = (row: Row, column: string, factor: number) => Partial<Task>

/** Reads a word that means one of the values. */
const wordFor = <T extends string>(
  row: Row,
  name: string,
  values: readonly T[],
  read: (text: string) => T | undefined,
) =>
  row.read(
    [name],
    ({ column, text }) =>
      `must be one of ${values.join(', ')}: say which one it means, such as --value "${column.trim()}:${text.trim()}=${values[0]}"`,
    read,
  )

const orUndefined = <T>(value: T | null | undefined) => value ?? undefined

/** Names in one cell, in brackets or not, are separated by semicolons, or by commas if there is no semicolon. */
function namesIn(row: Row, column: string): string[] | undefined {
  const text = row.text(column)
  if (text === undefined) return undefined
  const list = (text ?? '').replace(/^\[(.*)\]$/s, '$1')
  const names = list.split(list.includes(';') ? ';' : ',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

const people = (row: Row, column: string) => namesIn(row, column)?.map(personFrom)

const readers = {
  textFormat: (row: Row, column: string) => row.text(column) as Task['descriptionFormat'],
  type: (row: Row, column: string) => row.text(column),
  day: (row: Row, column: string) => row.day(column),
  whole: (row: Row, column: string, factor: number) => row.integer(column, factor),
  url: (row: Row, column: string) => row.text(column),
}

export const taskFields: Readonly<Record<string, ReadField>> = {
  externalId: (row, column) => ({ externalId: orUndefined(row.text(column))! }),
  number: (row, column) => ({ number: orUndefined(row.integer(column)) }),
  title: (row, column) => ({ title: row.required(column) }),
  description: (row, column) => ({ description: row.text(column) }),
  state: (row, column) => ({
    state: orUndefined(wordFor(row, column, taskStates, (text) => knownMeaning(text)?.state)),
  }),
  priority: (row, column) => ({ priority: orUndefined(wordFor(row, column, priorities, priorityMeaning)) }),
  parent: (row, column) => ({ parent: row.text(column) }),
  assignee: (row, column) => ({ assignees: people(row, column) }),
  creator: (row, column) => {
    const name = row.text(column)
    return { creator: name == null ? name : personFrom(name) }
  },
  watchers: (row, column) => ({ watchers: people(row, column) }),
  ...ofCopied<Record<string, ReadField>>(({ form }, name) => (row: Row, column: string, factor: number) => ({
    [name]: readers[form](row, column, factor),
  })),
  completedAt: (row, column) => ({ completedAt: row.moment(column) }),
  cancelledAt: (row, column) => ({ cancelledAt: row.moment(column) }),
  createdAt: (row, column) => ({ createdAt: orUndefined(row.moment(column)) }),
  updatedAt: (row, column) => ({ updatedAt: orUndefined(row.moment(column)) }),
  tags: (row, column) => ({ tags: namesIn(row, column)?.map((name) => ({ name })) }),
}

/** Reads a field of a task, or an own field such as fields.storyPoints. */
export function fieldReader(field: string): ReadField {
  const name = ownFieldOf(field)
  return name === undefined ? taskFields[field]! : (row, column) => ({ fields: { [name]: row.ownField(column) } })
}

/** Columns that decide what a row of a sheet is rather than being fields of the task. */
export const rowFields = ['project', 'stage', 'stageCategory']

export const categoryIn = (row: Row, column: string) =>
  wordFor(row, column, stageCategories, (text) => knownMeaning(text)?.category)
