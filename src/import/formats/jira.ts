// Jira: the CSV that "Export" writes, of all fields or of the current ones, in Cloud, Server and Data Center.

import { projectKeyPattern } from '../../api/input/object-names.ts'
import type { CsvFormat, OwnColumn } from '../format.ts'
import { InvalidValue } from '../invalid.ts'
import { descriptionIn, type ImportedObject, type Tag, type Task } from '../objects.ts'
import { createParents } from '../parents.ts'
import { listOf } from '../people.ts'
import { own, type Row } from '../row.ts'
import { priorityMeaning, statusMeaning, unknownPriority } from '../status-words.ts'
import { cancelled, completed, type StatusMeaning } from '../words.ts'
import {
  attachmentSite,
  personOf,
  readCustomField,
  readAttachments,
  readComments,
  readWork,
  watchersOf,
} from './jira-cells.ts'

export const jira: CsvFormat = {
  name: 'jira',
  title: 'Jira issues (CSV)',
  how: 'in the list of issues, choose Export > Export CSV (all fields)',
  lost: 'links, work logs without a time, custom fields that are of use only inside Jira, such as the rank',
  type: 'csv',
  recognizes: (columns) => ['summary', 'issue key', 'status'].every((name) => columns.has(name)),
  ownColumn,
  open: () => {
    const parents = createParents()
    return (row) => {
      // Server has only the id of the parent, which mostly follows its subtasks.
      const parent = row.text('Parent', 'Parent id')
      const task = readTask(row, parent && parents.find(parent)?.externalId)
      const id = row.text('Issue id') ?? task.externalId
      return [
        ...parents.add(task, [id], parent && task.parent == null ? parent : undefined),
        ...readComments(row, task),
        ...readAttachments(row, task),
        ...readWork(row, task),
        ...notesOn(row),
      ]
    }
  },
}

function readTask(row: Row, knownParent: string | null | undefined): Task {
  const key = row.required('Issue key').trim()
  const [, projectKey = '', number] = /^(.+)-(\d+)$/.exec(key) ?? []
  if (number === undefined) throw new InvalidValue('Issue key', key, 'must be a key such as WEB-12')
  const [reporter, creator] = [personOf(row, 'Reporter'), personOf(row, 'Creator')]
  const projectName = row.text('Project name') ?? projectKey
  const status = row.requiredStage('Status')
  const meaning = status.meaning ?? meaningOf(row)
  const doneAt = row.moment('Resolved') ?? row.moment('Status Category Changed')
  const site = siteOf(row)
  const parent = parentOf(row, knownParent)
  return {
    kind: 'task',
    type: row.text('Issue Type'),
    source: sourceOf(key),
    project: {
      id: row.text('Project key') ?? projectKey,
      name: projectName,
      key: projectKeyPattern.test(projectKey) ? projectKey : undefined,
      description: row.text('Project description') ?? undefined,
    },
    externalId: key,
    externalUrl: site && `${site}/browse/${key}`,
    number: Number(number),
    title: row.required('Summary'),
    ...descriptionIn('jira', row.text('Description')),
    state: meaning.state,
    priority: priorityOf(row),
    stage: { board: projectName, boardId: 'project', name: status.name, category: meaning.category },
    parent,
    parentSource: parent ? sourceOf(parent) : undefined,
    assignees: listOf(personOf(row, 'Assignee')),
    creator: reporter ?? creator,
    startDate: row.day('Custom field (Start date)', 'Custom field (Target start)'),
    dueDate: row.day('Due date'),
    estimateSeconds: row.integer('Original estimate'),
    completedAt: meaning.state === 'completed' ? doneAt : null,
    cancelledAt: meaning.state === 'cancelled' ? doneAt : null,
    createdAt: row.moment('Created') ?? undefined,
    updatedAt: row.moment('Updated') ?? undefined,
    tags: tagsOf(row),
    watchers: watchersOf(row),
  }
}

const versions = { name: 'Fix versions', read: listIn }
const affected = { name: 'Affects versions', read: listIn }
const ownColumns: Readonly<Record<string, OwnColumn>> = {
  sprint: { name: 'Sprint', read: listIn },
  'fix versions': versions,
  'fix version/s': versions,
  'affects versions': affected,
  'affects version/s': affected,
  environment: { name: 'Environment' },
  'story points': { name: 'Story Points' },
}

/**
 * Custom fields that are read otherwise, or mean nothing outside Jira: positions and colors on its boards, times that it
 * computes for its charts, and objects of its plugins.
 */
const notOwn =
  /^(?:start date|target start|parent link|epic link|rank|issue colou?r|epic (?:colou?r|status)|\[chart\].*|development|approvals|request participants)$/i

/** An issue has one column for each of its sprints, versions and chosen values. */
function ownColumn(heading: string): OwnColumn | undefined {
  const [, custom] = /^custom field \((.+)\)$/is.exec(heading) ?? []
  const name = (custom ?? heading).trim()
  const known = own(ownColumns, name.toLowerCase())
  if (known) return known
  return custom === undefined || notOwn.test(name) ? undefined : { name, read: readCustomField }
}

function listIn(row: Row, column: string): string[] {
  return row.all(column)
}

/** The project of an issue is in its key. */
const sourceOf = (key: string) => `jira:${key.replace(/-\d+$/, '')}`

/** In most workflows, only issues in a done status have a resolution. */
function meaningOf(row: Row): StatusMeaning {
  const resolution = row.text('Resolution')
  const isResolved = resolution != null && resolution !== 'Unresolved'
  const words = row.text('Status Category') ?? row.required('Status')
  const meaning = statusMeaning(words, isResolved ? completed : undefined)
  const reasons = [statusMeaning(row.required('Status')), statusMeaning(resolution ?? '')]
  return meaning.category === 'done' && reasons.includes(cancelled) ? cancelled : meaning
}

/** The key of the parent. Epics are not the parents of issues in Server, but linked. */
function parentOf(row: Row, known: string | null | undefined): string | null | undefined {
  const parent = row.text('Parent', 'Parent id')
  const links = [
    row.text('Parent key'),
    parent && /^\d+$/.test(parent) ? known : parent,
    row.text('Custom field (Parent Link)'),
    row.text('Custom field (Epic Link)'),
  ]
  return links.find(Boolean) ?? (parent || links.every((link) => link === undefined) ? undefined : null)
}

// The names of old versions, of which Major was the default.
const oldPriorities: Readonly<Record<string, Task['priority']>> = { critical: 'high', major: 'medium' }

function priorityOf(row: Row): Task['priority'] {
  const name = row.text('Priority')
  if (name == null) return name === null ? 'none' : undefined
  return own(oldPriorities, name.toLowerCase()) ?? priorityMeaning(name)
}

function notesOn(row: Row): ImportedObject[] {
  const value = row.text('Priority')
  return value != null && priorityOf(row) === undefined ? [unknownPriority(value)] : []
}

function tagsOf(row: Row): Tag[] | undefined {
  const components = row.list('Components', '\n') ?? row.list('Component/s', '\n')
  const names = [row.list('Labels', ' '), components]
  return names.every((list) => list === undefined)
    ? undefined
    : names.flat().flatMap((name) => (name ? [{ name }] : []))
}

/** The URL of a project is any that its lead has entered: it may be that of a website. */
function siteOf(row: Row): string | undefined {
  const url = row.text('Project url') ?? ''
  const cloud = /^https:\/\/[\w-]+\.atlassian\.net(?=\/|$)/.exec(url)?.[0]
  return cloud ?? /^(https?:\/\/\S+?)\/(?:browse|projects|secure)\//.exec(url)?.[1] ?? attachmentSite(row)
}
