// Trello: a board, as exported from its menu.

import type { JsonFormat } from '../format.ts'
import { mediaTypeOf } from '../media-types.ts'
import {
  descriptionIn,
  type Comment,
  type ImportedObject,
  type Note,
  type Person,
  type Stage,
  type StageRef,
  type Task,
  type TaskFile,
} from '../objects.ts'
import { readRecord } from '../read-record.ts'
import { statusMeaning } from '../status-words.ts'
import { dayIn } from '../times.ts'
import { boardSchema, byPosition, checklistsOf, colorOf, customFieldsOf, peopleOf, timeOf } from './trello-board.ts'
import type { Action, Attachment, Board, Card, List } from './trello-board.ts'

type Origin = Pick<Task, 'source' | 'project'>
/** Tells the day of a time. */
type DayOf = (time: string) => string

export const trello: JsonFormat = {
  name: 'trello',
  title: 'Trello board (JSON)',
  how: 'in the menu of the board: Print, export, and share > Export as JSON',
  lost: 'templates, activity except comments, covers, votes',
  type: 'json',
  recognizes: (record) => Array.isArray(record['lists']) && Array.isArray(record['cards']) && 'name' in record,
  open: ({ timezone = 'UTC' }) => {
    const dayOf = dayIn(timezone)
    return (record) => readBoard(readRecord(boardSchema, record), dayOf)
  },
}

function readBoard(board: Board, dayOf: DayOf): ImportedObject[] {
  const origin = { source: `trello:${board.id}`, project: { id: board.id, name: board.name, description: board.desc } }
  const people = peopleOf(board)
  const lists = board.lists.toSorted(byPosition)
  const cards = board.cards.filter((card) => !card.isTemplate).toSorted(byPosition)
  const cardIds = new Set(cards.map((card) => card.id))
  const comments = board.actions.filter((one) => one.type === 'commentCard')
  const known = comments.filter((one) => cardIds.has(one.data.card?.id ?? ''))
  const tasks = cards.map((card) => taskOf(board, card, origin, people, dayOf))
  return [
    ...lists.flatMap((list, index): Stage[] =>
      // The stages of archived lists are only those that have tasks.
      list.closed ? [] : [{ ...origin, kind: 'stage', ...stageOf(board, list), position: index + 1 }],
    ),
    ...tasks,
    ...cards.flatMap((card) => card.attachments.map((one) => attachmentOf(card, one, origin, people))),
    ...known.map((action): Comment => commentOf(action, origin, people)),
    ...notes(
      tasks.filter((task) => task.state === 'cancelled').length,
      'archived cards that were not done were cancelled',
    ),
    ...notes(board.cards.length - cards.length, 'card templates were left out'),
    ...notes(comments.length - known.length, 'comments on deleted cards were left out'),
    ...notes(
      board.actions.length >= 1_000 ? 1 : 0,
      'boards had more activity than Trello exports, so old comments are missing',
    ),
  ]
}

function taskOf(board: Board, card: Card, origin: Origin, people: Map<string, Person>, dayOf: DayOf): Task {
  const list = board.lists.find((one) => one.id === card.idList)
  const state = stateOf(card, list)
  // The latest actions are the first.
  const actions = board.actions.filter((one) => one.data.card?.id === card.id)
  const closedAt = actions.find(hasMoved)?.date
  return {
    ...origin,
    kind: 'task',
    externalId: card.id,
    externalUrl: card.shortUrl,
    number: card.idShort,
    title: card.name,
    ...descriptionIn(
      'markdown',
      [card.desc?.trim(), ...checklistsOf(board, card)].filter(Boolean).join('\n\n') || null,
    ),
    state,
    stage: list && stageOf(board, list),
    assignees: card.idMembers.flatMap((id) => people.get(id) ?? []),
    creator: people.get(actions.find(isCreation)?.memberCreator?.id ?? ''),
    startDate: card.start && dayOf(card.start),
    dueDate: card.due && dayOf(card.due),
    fields: customFieldsOf(board, card, dayOf),
    completedAt: state === 'completed' ? closedAt : null,
    cancelledAt: state === 'cancelled' ? closedAt : null,
    createdAt: timeOf(card.id),
    updatedAt: card.dateLastActivity,
    tags: board.labels
      .filter((label) => card.idLabels.includes(label.id))
      .map((label) => ({ name: label.name || label.color || 'no name', color: colorOf(label.color) })),
  }
}

function stageOf(board: Board, list: List): StageRef {
  const category = list.closed ? 'done' : statusMeaning(list.name).category
  return { board: board.name, boardId: board.id, id: list.id, name: list.name, category }
}

function stateOf(card: Card, list: List | undefined): Task['state'] {
  const meaning = list && statusMeaning(list.name)
  if (card.dueComplete) return 'completed'
  if (meaning?.category === 'done') return meaning.state
  return card.closed || list?.closed ? 'cancelled' : 'open'
}

const hasMoved = ({ type, data }: Action) =>
  type === 'updateCard' && ['idList', 'closed', 'dueComplete'].some((name) => name in (data.old ?? {}))

const isCreation = ({ type }: Action) => /^(?:create|copy|email)Card$|^convertToCardFromCheckItem$/.test(type)

/** An upload becomes a file of the task, and a link becomes a comment. */
function attachmentOf(card: Card, one: Attachment, origin: Origin, people: Map<string, Person>): Comment | TaskFile {
  const { id, url, bytes, date } = one
  const name = one.name?.trim() || url
  const person = people.get(one.idMember ?? '')
  const shared = { ...origin, externalId: id, task: card.id, createdAt: date }
  if (!one.isUpload) {
    const body = name === url ? name : `[${name}](${url})`
    return { ...shared, kind: 'comment', author: person, bodyFormat: 'markdown', body }
  }
  const mimeType = one.mimeType || mediaTypeOf(name)
  return { ...shared, kind: 'file', creator: person, name, mimeType, sizeBytes: bytes, url }
}

const commentOf = (
  { id, date, data, memberCreator }: Action,
  origin: Origin,
  people: Map<string, Person>,
): Comment => ({
  ...origin,
  kind: 'comment',
  externalId: id,
  task: data.card!.id,
  author: people.get(memberCreator?.id ?? ''),
  body: data.text ?? '',
  bodyFormat: 'markdown',
  createdAt: date,
  updatedAt: data.dateLastEdited,
})

const notes = (count: number, text: string) => Array<Note>(count).fill({ kind: 'note', text })
