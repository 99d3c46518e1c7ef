// The usages of workgate fields, and how the name of a field is read.

import { fieldNamePattern, fieldNameRule } from '../../api/input/object-names.ts'
import { UsageError } from '../command-context.ts'

/** By action. */
export const fieldsUsages = {
  list: 'workgate fields [list] [--json]',
  add: 'workgate fields add NAME --type text|number|boolean|date|list [--project KEY] [--index]',
  remove: 'workgate fields remove NAME [--project KEY]',
} as const

export const fieldsUsage = Object.values(fieldsUsages).join('\n')

export function readName([name, extra]: readonly string[], usage: string): string {
  if (name === undefined) throw new UsageError(`missing NAME\n\n${usage}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${usage}`)
  if (!fieldNamePattern.test(name)) throw new UsageError(`NAME ${fieldNameRule}, not "${name}"`)
  return name
}

/** Names the tasks that can have a field. */
export const tasksOf = (key: string | null) => (key === null ? 'the tasks of all projects' : `the tasks of ${key}`)
