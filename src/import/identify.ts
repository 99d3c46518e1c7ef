// Turns the objects of formats into rows with ids of this service.

import { maxAssignees, maxTags, maxWatchers } from '../api/input/values.ts'
import { copiedValues } from '../resources/tasks/copied-input.ts'
import { derivedId } from './derived-id.ts'
import { createExportedReader } from './exported.ts'
import { createMentions, type Mentions } from './mentions.ts'
import {
  isEmptyComment,
  type Comment,
  type ImportedObject,
  type Note,
  type Person,
  type Tag,
  type Task,
  type TaskFile,
  type TimeEntry,
} from './objects.ts'
import { fold } from './columns.ts'
import { createFieldNamer } from './field-names.ts'
import { staged, type StagedRow } from './staged.ts'

type CountNote = (text: string) => void

interface Options {
  /** Folded types of tasks. */
  leftOut?: readonly string[]
  /** The names of the own fields that tasks can have already. */
  declared?: ReadonlySet<string>
}

/** `projectKey` is the value of --project. `note` counts notes for the user. */
export function createIdentifier(
  projectKey: string | undefined,
  note: CountNote,
  { leftOut = [], declared = new Set() }: Options = {},
) {
  let rows: StagedRow[] = []
  const mentions = createMentions(projectKey, (row) => void rows.push(row))
  const readExported = createExportedReader(projectKey, mentions, (task) => withShortLists(task, note))
  const textOf = createNoteTexts()
  const namedFields = createFieldNamer(note, declared)

  const known = new Set<string>()

  /** A task can come several times. */
  function isLeftOut({ type, source, externalId }: Task): boolean {
    if (!type || !leftOut.includes(fold(type))) return false
    const name = `${source}\0${externalId}`
    if (!known.has(name)) note(`tasks of the type "${type}" were left out`)
    known.add(name)
    return true
  }

  function rowOf(object: Exclude<ImportedObject, Note>): StagedRow | undefined {
    if (object.kind === 'exported') return readExported(object)
    if (object.kind === 'task') return isLeftOut(object) ? undefined : identifyTask(object, mentions, namedFields, note)
    if (object.kind === 'comment') return identifyComment(object, mentions)
    if (object.kind === 'file') return identifyFile(object, mentions)
    if (object.kind === 'time_entry') return identifyTimeEntry(object, mentions)
    const { position, ...stage } = object
    mentions.stage(stage.source, mentions.project(stage), stage, position)
    return undefined
  }

  /**
   * Adds the rows that the object and everything that it mentions need. If the object is invalid, what it mentions remains:
   * it is not added again.
   */
  return (object: ImportedObject, target: StagedRow[]): void => {
    rows = target
    if (object.kind === 'note') return note(textOf(object))
    const row = rowOf(object)
    if (row) rows.push(row)
  }
}

function identifyTask(
  task: Task,
  mentions: Mentions,
  namedFields: ReturnType<typeof createFieldNamer>,
  note: CountNote,
): StagedRow {
  const { source, externalId, assignees, watchers, stage, parent, parentSource = source, tags, creator } = task
  const projectId = mentions.project(task)
  const idsOf = (people: readonly Person[] | undefined) =>
    people && [...new Set(people.map((person) => mentions.person(source, person)))]
  const { ofEntries, number, state, priority, completedAt, cancelledAt, createdAt, updatedAt } = task
  const tagIdOf = (name: string) => mentions.idOf(source, 'tag', name)
  return staged('task', projectId, derivedId(source, 'task', externalId), {
    ofEntries,
    sheetRow: task.sheetRow,
    number,
    state,
    priority,
    ...copiedValues(task),
    type: task.type && typeFrom(task.type),
    givenFields: task.fields && namedFields(task.fields),
    completedAt,
    cancelledAt,
    ...withShortTitle(task, note),
    externalId,
    createdAt,
    updatedAt,
    stageId: stage && mentions.stage(source, projectId, stage),
    parentId: parent && derivedId(parentSource, 'task', parent),
    ...withShortLists(
      { assigneeIds: idsOf(assignees), tags: tags && identifyTags(tags, tagIdOf, note), watcherIds: idsOf(watchers) },
      note,
    ),
    creatorId: creator && mentions.person(source, creator),
  })
}

function identifyComment(comment: Comment, mentions: Mentions): StagedRow {
  const { source, externalId, task, author, body, bodyFormat, createdAt, updatedAt, files } = comment
  const projectId = mentions.project(comment)
  const id = derivedId(source, 'comment', externalId)
  // Only the database knows whether there is one to delete.
  if (isEmptyComment(comment)) return { kind: 'comment', projectId, id, data: { isEmpty: true } }
  return staged('comment', projectId, id, {
    taskId: derivedId(source, 'task', task),
    authorId: author && mentions.person(source, author),
    body,
    bodyFormat,
    createdAt,
    updatedAt,
    files: files?.map(({ externalId, ...file }) => ({ id: derivedId(source, 'file', externalId), ...file })),
  })
}

function identifyFile(file: TaskFile, mentions: Mentions): StagedRow {
  const { source, externalId, task, creator, name, mimeType, sizeBytes, url, createdAt } = file
  // A tool can have the same externalId for a file of a comment.
  return staged('file', mentions.project(file), derivedId(source, 'taskFile', externalId), {
    taskId: derivedId(source, 'task', task),
    creatorId: creator && mentions.person(source, creator),
    name,
    mimeType,
    sizeBytes,
    url,
    createdAt,
  })
}

function identifyTimeEntry(entry: TimeEntry, mentions: Mentions): StagedRow {
  const { source, externalId, task, named, user, description, spentOn, startedAt, endedAt, timed, billable } = entry
  // The id depends on this spelling, which therefore stays.
  return staged('time_entry', mentions.project(entry), derivedId(source, 'timeEntry', externalId), {
    taskId: task && derivedId(source, 'task', task),
    named,
    userId: mentions.person(source, user),
    description,
    spentOn,
    startedAt,
    endedAt,
    timed,
    billable,
  })
}

const lists = [
  ['assigneeIds', 'assignees', maxAssignees],
  ['tags', 'tags', maxTags],
  ['watcherIds', 'watchers', maxWatchers],
] as const

/** Tasks cannot be created with more through the API either. */
function withShortLists(task: { [Name in (typeof lists)[number][0]]?: unknown }, note: CountNote): object {
  const short = lists.flatMap(([name, words, max]) => {
    const list = task[name]
    if (!Array.isArray(list) || list.length <= max) return []
    note(`tasks had more than ${max} ${words} (the first ${max} are kept)`)
    return [[name, list.slice(0, max)]]
  })
  return { ...task, ...Object.fromEntries(short) }
}

/** In lower case and without commas. */
function typeFrom(text: string): string | null {
  const words = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .join(' ')
  const short = Array.from(words).slice(0, 100).join('').trim()
  return short || null
}

const maxTitle = 500

/** A longer title also begins the description, so that nothing is lost. */
function withShortTitle({ title, description }: Task, note: CountNote) {
  const signs = Array.from(title)
  if (signs.length <= maxTitle) return { title, description }
  note(`titles of more than ${maxTitle} characters were cut (the whole title begins the description)`)
  return {
    title: `${signs.slice(0, maxTitle - 1).join('')}…`,
    description: [title, description].filter(Boolean).join('\n\n'),
  }
}

/** Names of tags contain no comma. They are compared regardless of case. */
function identifyTags(tags: readonly Tag[], idOf: (name: string) => string, note: CountNote) {
  const byName = new Map<string, { id: string; name: string; color: string | undefined }>()
  for (const { name, color } of tags) {
    const cleaned = name
      .split(',')
      .map((part) => part.trim())
      .join(' ')
      .trim()
    const short = Array.from(cleaned).slice(0, 100).join('').trim()
    if (short === '') continue
    if (short !== name.trim()) note('tags with a comma or more than 100 characters were renamed')
    const folded = short.toLowerCase()
    if (!byName.has(folded)) byName.set(folded, { id: idOf(folded), name: short, color })
  }
  return [...byName.values()]
}

/** Up to three values of each text are named. */
function createNoteTexts() {
  const noted = new Map<string, Set<string>>()
  return ({ text, value }: Note): string => {
    if (value === undefined) return text
    const values = noted.get(text) ?? new Set()
    noted.set(text, values)
    if (values.size < 3) values.add(value)
    return `${text} (${values.has(value) ? `"${value}"` : 'others'})`
  }
}
