// The changes of the history in words, such as "moved it to Done".

import type { ComponentChildren } from 'preact'
import type { WorkPacket } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { formatDay, formatHours } from '../text/format.ts'
import { fieldTitle, valueWords } from '../text/own-fields.ts'

type Changes = WorkPacket['history']['items'][number]['changes']

/** The values have the type of the field, which the API does not declare for each of them. */
interface Change {
  from: unknown
  to: unknown
}

type Say = (change: Change, names: Names) => ComponentChildren[]

const stored = (text: string) => <bdi>{text}</bdi>

/** `say` is for a text, and `removed` for null. */
const textOr =
  (removed: string, say: (text: string, names: Names) => ComponentChildren): Say =>
  ({ to }, names) => [typeof to === 'string' ? say(to, names) : removed]

const states: Record<string, string> = { completed: 'completed the task', cancelled: 'cancelled the task' }

const words: Record<string, Say> = {
  state: ({ from, to }) => {
    if (from === null) return ['created the task', ...(to === 'open' ? [] : [states[String(to)] ?? ''])]
    return [states[String(to)] ?? 'reopened the task']
  },
  title: ({ from }) => [<>changed the title from “{stored(String(from))}”</>],
  description: textOr('removed the description', () => 'changed the description'),
  descriptionFormat: () => ['changed the format of the description'],
  priority: ({ to }) => [to === 'none' ? 'removed the priority' : `set the priority to ${String(to)}`],
  stageId: textOr('took it off the board', (id, names) => <>moved it to {stored(names.stage(id))}</>),
  boardId: textOr('took it off the board', (id, names) => <>put it on {stored(names.board(id))}</>),
  assigneeId: textOr('removed the assignee', (id, names) => <>assigned it to {stored(names.person(id))}</>),
  assigneeIds: (change, names) =>
    listWords(
      change,
      names.person,
      ['added the assignee', 'added the assignees'],
      ['removed the assignee', 'removed the assignees'],
    ),
  creatorId: textOr('removed the creator', (id, names) => <>set the creator to {stored(names.person(id))}</>),
  type: textOr('removed the type', (type) => <>set the type to {stored(type)}</>),
  parentId: textOr('removed the parent', () => 'changed the parent'),
  startDate: textOr('removed the start', (day) => `set the start to ${formatDay(day)}`),
  dueDate: textOr('removed the due date', (day) => `set the due date to ${formatDay(day)}`),
  estimateSeconds: ({ to }) => [typeof to === 'number' ? `estimated ${formatHours(to)}` : 'removed the estimate'],
  completedAt: () => ['changed the time of completion'],
  cancelledAt: () => ['changed the time of cancellation'],
  externalId: textOr('removed the external id', (id) => <>set the external id to {stored(id)}</>),
  externalUrl: textOr('removed the external link', () => 'changed the external link'),
  number: ({ from, to }) => [`changed the number from ${String(from)} to ${String(to)}`],
  tags: (change) =>
    listWords(change, (name) => name, ['added the tag', 'added the tags'], ['removed the tag', 'removed the tags']),
  watcherIds: (change, names) =>
    listWords(
      change,
      names.person,
      ['added the watcher', 'added the watchers'],
      ['removed the watcher', 'removed the watchers'],
    ),
  fields: ({ from, to }) => ownFieldWords(new Map(Object.entries(from ?? {})), new Map(Object.entries(to ?? {}))),
}

/** Fields that change because another one does, which is told instead. */
const consequences: Record<string, string> = {
  completedAt: 'state',
  cancelledAt: 'state',
  boardId: 'stageId',
  assigneeId: 'assigneeIds',
  descriptionFormat: 'description',
}

export function wordsFor(changes: Changes, names: Names): ComponentChildren[] {
  const given = Object.entries(changes).filter(([field]) => {
    const cause = consequences[field]
    return cause === undefined || !(cause in changes)
  })
  const said = given.flatMap(([field, change]) => (change ? (words[field]?.(change, names) ?? []) : []))
  return said.length > 0 ? said : ['changed the task']
}

type Forms = [one: string, many: string]

function listWords({ from, to }: Change, nameOf: (item: string) => string, added: Forms, removed: Forms) {
  const [before, after] = [textsOf(from), textsOf(to)]
  const news = after.filter((item) => !before.includes(item))
  const olds = before.filter((item) => !after.includes(item))
  return [sayNames(news, nameOf, added), sayNames(olds, nameOf, removed)].filter((said) => said !== undefined)
}

function sayNames(items: string[], nameOf: (item: string) => string, [one, many]: Forms) {
  if (items.length === 0) return undefined
  return (
    <>
      {items.length === 1 ? one : many}{' '}
      {items.map((item, n) => (
        <span key={item}>
          {n > 0 && (n === items.length - 1 ? ' and ' : ', ')}
          {stored(nameOf(item))}
        </span>
      ))}
    </>
  )
}

const maxShown = 100

/** Names each own field that changed. Long values are in the details. */
function ownFieldWords(before: Map<string, unknown>, after: Map<string, unknown>): ComponentChildren[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
    .sort()
    .map((name) => {
      const title = fieldTitle(name)
      if (!after.has(name)) return `removed ${title}`
      const [was, is] = [valueWords(before.get(name)), valueWords(after.get(name))]
      if (was.length + is.length > maxShown) return `changed ${title}`
      if (!before.has(name))
        return (
          <>
            set {title} to {stored(is)}
          </>
        )
      return (
        <>
          changed {title} from {stored(was)} to {stored(is)}
        </>
      )
    })
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
