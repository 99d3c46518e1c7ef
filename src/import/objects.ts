// Declares the objects that formats make of the records of a file. They refer to each other by the ids that the tool
// uses; identify.ts replaces these by ids of this service. A property that is undefined is not in the file, so its value
// here is kept; null means that it is empty there.

import type { priorities, stageCategories, taskStates, textFormats } from '../api/input/values.ts'
import type { CopiedValues } from '../resources/tasks/copied-input.ts'
import type { Kind } from './staged.ts'

export type ImportedObject = Task | Comment | TaskFile | TimeEntry | Stage | Note | Exported

/** `login` is any id by which the tool knows the person. At least one of the three is given. */
export interface Person {
  email?: string | null | undefined
  login?: string | null | undefined
  name?: string | null | undefined
}

/** The project of an object, unless the import names one. A project with this key is used if there is one. */
export interface Project {
  id: string
  name: string
  key?: string | undefined
  /** The user has chosen the key, so only it decides, and not the id, which anybody can derive from it. */
  byKey?: true | undefined
  description?: string | null | undefined
}

interface Origin {
  /**
   * The namespace of the ids, such as `github:acme/website`: a project of the tool, because --full deletes the tasks of a
   * source that the file does not have. The text before the colon is the namespace of people.
   */
  source: string
  /** Undefined if only --project can tell. */
  project: Project | undefined
}

/** The type is in the words of the tool, such as Epic. */
export interface Task extends Origin, CopiedValues {
  kind: 'task'
  externalId: string
  /** Only needed by time entries that name it, if the project has no such task. */
  ofEntries?: true
  /** The texts of a row that may have been exported from this service: it is then the task with its number and externalId. */
  sheetRow?: { project: string; parent: string | null | undefined } | undefined
  /** The number that the task should get if no other task of the project has it. */
  number?: number | undefined
  title: string
  description?: string | null | undefined
  state?: (typeof taskStates)[number] | undefined
  priority?: (typeof priorities)[number] | undefined
  stage?: StageRef | undefined
  parent?: string | null | undefined
  /** If the parent may be of another source. */
  parentSource?: string | undefined
  assignees?: readonly Person[] | undefined
  creator?: Person | null | undefined
  completedAt?: string | null | undefined
  cancelledAt?: string | null | undefined
  createdAt?: string | undefined
  updatedAt?: string | undefined
  tags?: readonly Tag[] | undefined
  watchers?: readonly Person[] | undefined
  /** Own fields by their names in the tool. Texts become values of the type that is declared here. Null: empty in the file. */
  fields?: OwnFields | undefined
}

export type OwnFields = Readonly<Record<string, string | number | boolean | readonly string[] | null>>

/** For tools that use one format for all descriptions. */
export const descriptionIn = (descriptionFormat: TextFormat, description: string | null | undefined) => ({
  description,
  descriptionFormat: description == null ? description : descriptionFormat,
})

export interface Tag {
  name: string
  /** As in the API: # and six digits of lower case. */
  color?: string | undefined
}

/**
 * A stage is identified by its board and `id`, by default its name, and a board by `boardId`, by default its name. Without a
 * board, it is on the first board of the project.
 */
export interface StageRef {
  board?: string | undefined
  boardId?: string | undefined
  id?: string | undefined
  name: string
  category: (typeof stageCategories)[number]
}

/** A stage that exists even if no task is in it. Stages that only tasks mention follow, in the order of the file. */
export interface Stage extends Origin, StageRef {
  kind: 'stage'
  position: number
}

type TextFormat = (typeof textFormats)[number]

export interface Comment extends Origin {
  kind: 'comment'
  externalId: string
  /** The externalId of the task. */
  task: string
  author?: Person | null | undefined
  body: string
  bodyFormat?: TextFormat
  createdAt?: string | undefined
  updatedAt?: string | undefined
  files?: readonly File[] | undefined
}

/** It cannot be stored: what is here of it is deleted. */
export const isEmptyComment = (object: ImportedObject): boolean =>
  object.kind === 'comment' && object.body.trim() === ''

export interface File {
  externalId: string
  name: string
  mimeType: string
  sizeBytes: number
  url: string
  createdAt?: string | undefined
}

/** A file of a task itself. Files of comments are in their comment. */
export interface TaskFile extends Origin {
  kind: 'file'
  externalId: string
  /** The externalId of the task. */
  task: string
  creator?: Person | null | undefined
  name: string
  mimeType: string
  sizeBytes?: number | null | undefined
  url: string
  createdAt?: string | undefined
}

export interface TimeEntry extends Origin {
  kind: 'time_entry'
  externalId: string
  /** The externalId of the task. */
  task: string | null
  /** The entry belongs to the task that has this title, or whose reference is in the text, rather than to `task`. */
  named?: { title: string; text: string }
  user: Person
  description?: string | null | undefined
  spentOn: string
  startedAt: string
  endedAt: string | null
  /** Only the day and the duration are known: it starts at the beginning of the day in UTC. */
  timed?: false
  billable?: boolean | undefined
}

/** Something that a person should know, counted by its text: "a pull request was skipped". */
export interface Note {
  kind: 'note'
  text: string
  /** Named after the text, if there are not too many. */
  value?: string
}

/** A line of an export: an object with ids of this service. */
export interface Exported {
  kind: 'exported'
  line: { kind: Kind; id: string; projectId?: string | undefined }
}
