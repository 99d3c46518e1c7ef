// Names the own fields of other tools: "Story Points" is storyPoints. What cannot be stored is left out, with a note.

import { maxFields, maxFieldsBytes, maxTextLength, maxTexts } from '../resources/tasks/own-fields.ts'
import type { OwnFields } from './objects.ts'

const maxName = 48

/** Undefined if the name has no Latin letter. */
export function fieldName(name: string): string | undefined {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  const camel = words
    .map((word, n) => {
      const lower = /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word
      return n === 0 ? lower.charAt(0).toLowerCase() + lower.slice(1) : lower.charAt(0).toUpperCase() + lower.slice(1)
    })
    .join('')
  return /^[^a-z]*([a-z].*)$/i
    .exec(camel)?.[1]
    ?.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .slice(0, maxName)
}

/**
 * Returns a function that makes the names and values that tasks can have here. A value that is empty in the file is null if
 * its name is one of `declared`: a file can have hundreds of columns that are empty for all tasks, and no task has the others.
 */
export function createFieldNamer(
  note: (text: string) => void,
  declared: ReadonlySet<string>,
): (fields: OwnFields) => OwnFields {
  // All tasks of a file mostly have the same names.
  const names = new Map<string, string | undefined>()
  return (fields) => {
    const named = new Map<string, OwnFields[string]>()
    let [count, bytes] = [0, 0]
    for (const [title, given] of Object.entries(fields)) {
      if (!names.has(title)) names.set(title, fieldName(title))
      const name = names.get(title)
      if (name === undefined) {
        note(`own fields whose names have no Latin letters were left out: say --column "${title}=fields.NAME"`)
        continue
      }
      const value = storable(given, note)
      // Two names of the tool can be one here.
      if (named.has(name) && (value === null || named.get(name) !== null)) {
        if (value !== null) note(`own fields with the name of another one were left out ("${title}")`)
        continue
      }
      if (value !== null) {
        bytes += Buffer.byteLength(JSON.stringify([name, value], null, 1))
        if (bytes > maxFieldsBytes || ++count > maxFields) {
          note('tasks had more than 50 own fields, or more than 16 KB of them (the first are kept)')
          continue
        }
      }
      if (value !== null || declared.has(name)) named.set(name, value)
    }
    return Object.fromEntries(named)
  }
}

function storable(value: OwnFields[string], note: (text: string) => void): OwnFields[string] {
  if (Array.isArray(value)) {
    const texts = (value as readonly string[]).map((text) => text.trim()).filter(Boolean)
    if (texts.length > maxTexts) note(`own fields had more than ${maxTexts} texts (the first ${maxTexts} are kept)`)
    return texts.length === 0 ? null : texts.slice(0, maxTexts).map((text) => cut(text, note))
  }
  if (typeof value !== 'string') return value
  return value.trim() === '' ? null : cut(value, note)
}

function cut(text: string, note: (text: string) => void): string {
  const signs = Array.from(text)
  if (signs.length <= maxTextLength) return text
  note(`texts of own fields with more than ${maxTextLength} characters were cut`)
  return `${signs.slice(0, maxTextLength - 1).join('')}…`
}
