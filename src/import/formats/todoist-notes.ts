// Reads the comments of a Todoist project, their files, and people.

import * as v from 'valibot'
import { InvalidValue } from '../invalid.ts'
import { mediaTypeOf } from '../media-types.ts'
import type { Comment, File, Person, Task } from '../objects.ts'
import { readRecord } from '../read-record.ts'
import type { Row } from '../row.ts'

const fileSchema = v.object({
  file_name: v.string(),
  file_url: v.string(),
  file_size: v.nullish(v.number()),
  file_type: v.nullish(v.string()),
})

type Origin = Pick<Task, 'source' | 'project'>

export function readComment(row: Row, origin: Origin, task: string, idOf: (text: string) => string): Comment {
  const content = row.required('CONTENT')
  // A file that does not end is followed by the next one: otherwise, each would search the whole text.
  const token = /\[\[file (\{(?:(?!\[\[file ).)*?\})\]\]/gs
  const files = [...content.matchAll(token)].map(([, json]) => readFile(json!))
  const author = personOf(row.text('AUTHOR'))
  const createdAt = row.moment('DATE') ?? undefined
  const body = content.replace(token, '').trim()
  const externalId = idOf([createdAt, author?.login ?? author?.name, task].filter(Boolean).join(' '))
  return {
    ...origin,
    kind: 'comment',
    externalId,
    task,
    author,
    body: body || files.map((file) => file.name).join('\n'),
    bodyFormat: 'markdown',
    createdAt,
    files,
  }
}

function readFile(json: string): File {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new InvalidValue('CONTENT', json, 'must be a file in JSON')
  }
  const { file_name: name, file_url: url, file_size: size, file_type: type } = readRecord(fileSchema, value, 'CONTENT')
  return { externalId: url, name, mimeType: type || mediaTypeOf(name), sizeBytes: size ?? 0, url }
}

/** A name is followed by the id. */
export function personOf(text: string | null | undefined): Person | null | undefined {
  if (text == null) return text
  const name = text.trim()
  const at = name.lastIndexOf('(')
  const login = /^\(([^()]+)\)$/.exec(at < 0 ? '' : name.slice(at))?.[1]
  return login === undefined ? { name } : { login, name: name.slice(0, at).trimEnd() }
}
