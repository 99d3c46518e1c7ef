// Reads the people of a Jira issue, its custom fields, and its comments, attachments and work logs, each of which is one cell.

import { InvalidValue } from '../invalid.ts'
import { mediaTypeOf } from '../media-types.ts'
import type { Comment, OwnFields, Person, Task, TaskFile, TimeEntry } from '../objects.ts'
import type { Row } from '../row.ts'
import { addSeconds, readMoment } from '../times.ts'

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
    return {
      ...originOf(task),
      kind: 'comment',
      externalId: ids(`comment ${createdAt} ${author}`),
      task: task.externalId,
      author: authorOf(author!),
      body: body!,
      bodyFormat: 'jira',
      createdAt,
    }
  })
}

/** Jira exports neither the sizes of files nor their media types. */
export function readAttachments(row: Row, task: Task): TaskFile[] {
  return row.all('Attachment').map((cell) => {
    const [, time, author, name, url] = split('Attachment', cell, attachmentCell, 'date;author;name;URL')
    return {
      ...originOf(task),
      kind: 'file',
      externalId: `${task.externalId} ${url}`,
      task: task.externalId,
      creator: authorOf(author!),
      name: name!,
      mimeType: mediaTypeOf(name!),
      url: url!,
      createdAt: row.momentIn('Attachment', time!),
    }
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

/** Plugins write objects instead of values: as JSON, or as a name of Java with an address in memory, which always changes. */
const objectCell = /^(?:\{.*\}|(?:[\w$]+\.)+[\w$]+@[\da-f]+)$/s
const timeCell = /^\d{1,2}\/\p{L}{3,}\.?\/\d{2} \d{1,2}:\d{2} [AP]M$/u

export function readCustomField(row: Row, column: string): OwnFields[string] {
  const value = row.ownField(column)
  if (Array.isArray(value)) return value.flatMap((text: string) => readCustomValue(text) ?? [])
  return typeof value === 'string' ? readCustomValue(value) : value
}

/** Dates are written with a time, too. */
function readCustomValue(text: string): string | null {
  if (objectCell.test(text.trim())) return null
  const moment = timeCell.test(text.trim()) ? readMoment(text, undefined) : undefined
  return moment?.replace(/T00:00:00$/, '') ?? text
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
