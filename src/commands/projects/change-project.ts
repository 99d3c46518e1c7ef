// workgate projects archive, unarchive, rename and due: change the row of a project, in one statement.

import { isDay } from '../../api/input/values.ts'
import type { Database } from '../../db/database.ts'
import { serverError } from '../../db/errors.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { UsageError } from '../command-context.ts'
import { parseKeyAndOptions, projectsUsages, readKey, unknownProject } from './usages.ts'
import changeProjectSql from '../../../sql/projects/change-project.sql'

interface Change {
  status?: 'active' | 'archived'
  name?: string | undefined
  newKey?: string | undefined
  /** Null removes it. */
  dueDate?: string | null
}

interface ChangedProject {
  key: string
  name: string
}

const changeProject = query<ChangedProject>(changeProjectSql)

/** By constraint. */
const refusals = {
  projects_name_form: 'NAME must be 1 to 200 characters, and not only spaces',
  projects_key_taken: 'another project has the new key',
  projects_due_not_before_start: 'the due date must not be before the start date of the project',
}

async function change(db: Database, key: string, { status, name, newKey, dueDate }: Change): Promise<ChangedProject> {
  const [changed] = await changeProject(db, {
    key,
    status: status ?? null,
    name: name ?? null,
    newKey: newKey ?? null,
    setsDueDate: dueDate !== undefined,
    dueDate: dueDate ?? null,
  }).catch((error: unknown) => {
    // Citus names the constraint only in the message, with a number.
    const message = serverError(error)?.message ?? ''
    const refusal = Object.entries(refusals).find(([constraint]) => message.includes(constraint))
    throw refusal ? new UsageError(refusal[1]) : error
  })
  if (!changed) throw unknownProject(key)
  return changed
}

export function archive(args: readonly string[]) {
  const { key } = parseKeyAndOptions('archive', args, {})
  return async (db: Database) => {
    await change(db, key, { status: 'archived' })
    return `${key} is archived. The API still shows it, but does not write to it.`
  }
}

export function unarchive(args: readonly string[]) {
  const { key } = parseKeyAndOptions('unarchive', args, {})
  return async (db: Database) => {
    await change(db, key, { status: 'active' })
    return `${key} is active.`
  }
}

export function rename(args: readonly string[]) {
  const { key, further: name, values } = parseKeyAndOptions('rename', args, { key: { type: 'string' } }, 1)
  const newKey = values.key === undefined ? undefined : readKey('--key', values.key)
  if (name === undefined && newKey === undefined)
    throw new UsageError(`missing NAME or --key NEW\n\n${projectsUsages.rename}`)
  return async (db: Database) => {
    const project = await change(db, key, { name, newKey })
    const renamed = `${project.key} is named "${escapeText(project.name)}".`
    if (newKey === undefined || newKey === key) return renamed
    return `${renamed} Its tasks are ${newKey}-1 and so on; ${key} and ${key}-1 are no longer found.`
  }
}

export function due(args: readonly string[]) {
  const { key, further: text } = parseKeyAndOptions('due', args, {}, 1)
  if (text === undefined) throw new UsageError(`missing DATE or none\n\n${projectsUsages.due}`)
  if (text !== 'none' && !isDay(text))
    throw new UsageError(`DATE must be a date such as 2027-01-31, or none, not "${text}"`)
  const dueDate = text === 'none' ? null : text
  return async (db: Database) => {
    await change(db, key, { dueDate })
    return dueDate === null ? `${key} has no due date.` : `${key} is due on ${dueDate}.`
  }
}
