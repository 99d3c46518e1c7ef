// The filters of lists of tasks in words. Their names and values are those of the API.

import { isId, type Names } from '../api/use-names.ts'
import { formatAny, formatBound } from '../text/format.ts'
import { fieldTitle } from '../text/own-fields.ts'

interface Words {
  label: string
  /** One of the values that are separated by commas. */
  say(value: string, names: Names): string
}

const asItIs = (value: string) => value
const person = (value: string, names: Names) => (value === 'none' ? 'nobody' : names.person(value))
const task = (value: string) => (isId(value) ? 'a task' : value)
const day = (value: string) => formatBound(value)

function overdue(value: string): string {
  if (value === 'true') return 'Overdue'
  return value === 'false' ? 'Not overdue' : `overdue ${value}`
}

const words: Record<string, Words> = {
  projectId: { label: 'Project', say: (value, names) => names.project(value) },
  state: { label: 'State', say: asItIs },
  overdue: { label: '', say: overdue },
  assigneeId: { label: 'Assignee', say: person },
  creatorId: { label: 'Created by', say: person },
  watcherId: { label: 'Watched by', say: person },
  stageId: { label: 'Stage', say: (value, names) => names.stage(value) },
  boardId: { label: 'Board', say: (value, names) => names.board(value) },
  priority: { label: 'Priority', say: asItIs },
  type: { label: 'Type', say: asItIs },
  tag: { label: 'Tag', say: asItIs },
  parentId: { label: 'Parent', say: task },
  number: { label: 'Number', say: asItIs },
  reference: { label: 'Reference', say: asItIs },
  externalId: { label: 'External id', say: asItIs },
  dueAfter: { label: 'Due from', say: day },
  dueBefore: { label: 'Due before', say: day },
  completedAfter: { label: 'Completed from', say: day },
  completedBefore: { label: 'Completed before', say: day },
  createdAfter: { label: 'Created from', say: day },
  createdBefore: { label: 'Created before', say: day },
  updatedAfter: { label: 'Changed from', say: day },
  updatedBefore: { label: 'Changed before', say: day },
}

/** The address can have any name, even one that all objects have. */
const filters = new Map(Object.entries(words))

/** By the end of the name of an own field. */
const bounds = new Map([
  ['', ''],
  ['>', 'at least '],
  ['<', 'at most '],
])

/** Parts of the query that do not select tasks, or have a control of their own. */
const others = ['q', 'sort', 'include', 'limit', 'cursor']

export interface Filter {
  name: string
  /** Empty if the value speaks for itself. */
  label: string
  value: string
}

/** The API refuses names that it does not know. They are shown as well, so that they can be removed. */
export function filtersOf(query: URLSearchParams, names: Names): Filter[] {
  const given = [...new Set(query.keys())].filter((name) => !others.includes(name))
  return given.map((name) => {
    const values = query.getAll(name)
    const [, field, bound = ''] = /^fields\.(\w+)([<>]?)$/.exec(name) ?? []
    // A comma is part of the value of an own field.
    if (field !== undefined) return { name, label: fieldTitle(field), value: bounds.get(bound) + formatAny(values) }
    const value = values.join(',')
    const { label, say } = filters.get(name) ?? { label: name, say: asItIs }
    return { name, label, value: formatAny(value.split(',').map((part) => say(part, names))) }
  })
}

export interface Sort {
  value: string
  title: string
}

const sortsEverywhere: Sort[] = [
  { value: '-createdAt', title: 'Newest first' },
  { value: 'createdAt', title: 'Oldest first' },
  { value: '-updatedAt', title: 'Last changed first' },
  { value: 'dueDate', title: 'Due first' },
  { value: '-dueDate', title: 'Due last' },
]

const sortsOfProject: Sort[] = [
  ...sortsEverywhere,
  { value: '-priority', title: 'Highest priority' },
  { value: '-completedAt', title: 'Last completed first' },
  { value: 'number', title: 'By number' },
]

/** A sort that has no name here is shown as the API names it. */
export function sortsFor(isAcrossProjects: boolean, current: string): Sort[] {
  const sorts = isAcrossProjects ? sortsEverywhere : sortsOfProject
  return sorts.some(({ value }) => value === current) ? sorts : [...sorts, { value: current, title: current }]
}
