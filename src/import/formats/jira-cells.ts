// Reads the people of a Jira issue, and its comments, attachments and work logs, each of which is one cell.

import { InvalidValue } from '../invalid.ts'
import type { Comment, Person, Task, TimeEntry } from '../objects.ts'
import type { Row } from '../row.ts'
import { addSeconds } from '../times.ts'

const attachmentCell = /^([^;]*);([^;]*);([\s\S]*);(https?:\/\/\S+)$/

/** Cloud has ids of accounts in columns of their own, and Server has logins instead of names. */
export function personOf(row: Row, column: string): Person | null | undefined {
  const name = row.text(column)
  return name == null ? name : { login: row.text(`${column} Id`) ?? name, name }
}

export function watchersOf(row: Row): Person[] | undefined {
  const names = row.list('Watchers', '\n')
  const ids = row.list('Watchers Id', '\n')
  if (ids === undefined || ids.length === 0) return names?.map((name) => ({ login: name, name }))
  return ids.map((login, n) => (names?.length === ids.length ? { login, name: names[n] } : { login }))
}

export function readComments(row: Row, task: Task): Comment[] {
  const ids = createIds(task)
  return row.all('Comment').map((cell) => {
    const [, time, author, body] = split('Comment', cell, /^([^;]*);([^;]*);([\s\S]*)$/, 'date;author;text')
    const createdAt = row.momentIn('Comment', time!)
    return commentOn(task, ids(`comment ${createdAt} ${author}`), author!, body!, createdAt)
  })
}

/** A file of this service has a size and a type, which Jira does not export, so its link becomes a comment. */
export function readAttachments(row: Row, task: Task): Comment[] {
  return row.all('Attachment').map((cell) => {
    const [, time, author, name, url] = split('Attachment', cell, attachmentCell, 'date;author;name;URL')
    const createdAt = row.momentIn('Attachment', time!)
    return commentOn(task, `${task.externalId} attachment ${url}`, author!, `${name}\n${url}`, createdAt)
  })
}

export function readWork(row: Row, task: Task): TimeEntry[] {
  const ids = createIds(task)
  return row.all('Log Work').map((cell) => {
    const pattern = /^(?:([\s\S]*);)?([^;]*);([^;]*);(\d+)$/
    const [, description, time, author, seconds] = split('Log Work', cell, pattern, 'comment;date;author;seconds')
    const startedAt = row.momentIn('Log Work', time!)
    return {
      ...originOf(task),
      kind: 'time_entry',
      externalId: ids(`work ${startedAt} ${author}`),
      task: task.externalId,
      user: authorOf(author!) ?? { name: 'Unknown' },
      description: description?.trim() || null,
      spentOn: startedAt.slice(0, 10),
      startedAt,
      endedAt: addSeconds(startedAt, Number(seconds)),
    }
  })
}

/** The address of Jira, if the issue has an attachment. */
export function attachmentSite(row: Row): string | undefined {
  const url = attachmentCell.exec(row.all('Attachment')[0] ?? '')?.[4] ?? ''
  return /^(https?:\/\/\S+?)\/(?:rest\/api|secure\/attachment)\//.exec(url)?.[1]
}

function split(column: string, cell: string, pattern: RegExp, form: string): RegExpExecArray {
  const parts = pattern.exec(cell)
  if (!parts) throw new InvalidValue(column, cell, `must be ${form}`)
  return parts
}

function commentOn(task: Task, externalId: string, author: string, body: string, createdAt: string): Comment {
  return {
    ...originOf(task),
    kind: 'comment',
    externalId,
    task: task.externalId,
    author: authorOf(author),
    body,
    bodyFormat: 'jira',
    createdAt,
  }
}

/** Times have no seconds, so a person can have written several comments at the same time. */
function createIds({ externalId }: Task) {
  const counts = new Map<string, number>()
  return (text: string) => {
    const n = (counts.get(text) ?? 0) + 1
    counts.set(text, n)
    return `${externalId} ${text}${n === 1 ? '' : ` ${n}`}`
  }
}

const originOf = ({ source, project }: Task) => ({ source, project })
/** The id of an account in Cloud, and a login in Server. Another column may have its name. */
const authorOf = (author: string): Person | null => (author.trim() === '' ? null : { login: author.trim() })
