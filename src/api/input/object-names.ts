// Names that people use instead of ids: the key of a project, and the number or the reference of a task.

import { isUuid } from './values.ts'
import { notFound } from '../problems/problem.ts'

const key = '[A-Z][A-Z0-9]{1,11}'
const number = '[1-9]\\d{0,15}'
const uuid = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

export const projectKeyPattern = new RegExp(`^${key}$`)
export const projectKeyRule = 'must be 2 to 12 of the characters A-Z and 0-9, the first a letter'
/** The id or the key of a project. */
export const projectNamePattern = new RegExp(`^(?:${uuid}|${key})$`)
/** The number of a task after the key of its project: WEB-82. */
export const referencePattern = new RegExp(`^${key}-${number}$`)
/** The id, the number or the reference of a task. */
export const taskNamePattern = new RegExp(`^(?:${uuid}|(?:${key}-)?${number})$`)
export const taskNameOrNonePattern = new RegExp(`^(?:none|${taskNamePattern.source.slice(1, -1)})$`)
/** The number of a task, alone or in a reference, after the key of its project. */
export const taskNumberPattern = new RegExp(`^(?:(${key})-)?(${number})$`)

/** The name of an own field of tasks. */
export const fieldNamePattern = /^[a-z][A-Za-z0-9]{0,47}$/
export const fieldNameRule = 'must be a letter in lower case, then letters and digits, up to 48'

/** Returns an id in lower case, and any other name unchanged. */
export function canonicalName(name: string): string {
  const id = name.toLowerCase()
  return isUuid(id) ? id : name
}

/** Returns the id in lower case. Throws the 404 if the text is not an id, without a database query. */
export function idInPath(text: string, what: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw notFound(what)
  return id
}

/** Derives a key from the first letters of a name: "Ångström's lab" gives ANGS. It leaves room for a number. */
export function deriveKeyBase(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^[0-9]+/, '')
  return letters.length < 2 ? `${letters}PROJECT`.slice(0, 4) : letters.slice(0, 4)
}
