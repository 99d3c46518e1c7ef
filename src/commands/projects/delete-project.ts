// workgate projects delete: deletes a project with everything in it, after saying what that is and asking.

import type { Database } from '../../db/database.ts'
import { begin } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import type { CommandContext } from '../command-context.ts'
import { count, findProject, hours, type ProjectDescription } from './find-project.ts'
import { parseKeyAndOptions } from './usages.ts'
import deleteProjectSql from '../../../sql/projects/delete-project.sql'

const remove = query<{ key: string }>(deleteProjectSql)

export function deleteProject(args: readonly string[], { ask }: CommandContext) {
  const { key, values } = parseKeyAndOptions('delete', args, { yes: { type: 'boolean' } })
  return async (db: Database) => {
    const project = await findProject(db, key)
    const text = describe(project)
    if (!values.yes) {
      if (!ask) throw new Error(`nothing was deleted. ${text} If this is right, add --yes`)
      if (!(await ask(`${text} Delete it? [y/N] `)))
        throw new Error('nothing was deleted, because it was not confirmed')
    }
    // A large project can need more time than requests have. In one transaction, whatever else happens meanwhile.
    await db.session(async (session) => {
      await session.script(begin)
      await remove(session, { projectId: project.id })
      await session.script('commit')
    })
    return values.yes ? `${text}\n${key} was deleted.` : `${key} was deleted.`
  }
}

/** Says what goes with the project, and which keys it leaves without one. */
function describe({ key, name, tasks, comments, timeEntries, documents, boards, keys }: ProjectDescription): string {
  const parts = [
    count(tasks.open + tasks.completed + tasks.cancelled, 'task'),
    count(comments, 'comment'),
    `${count(timeEntries.count, 'time entry', 'time entries')} (${hours(timeEntries.seconds)})`,
    count(documents, 'document'),
    count(boards.length, 'board'),
  ]
  const limited = keys.filter(({ scopeMode, hasOtherProjects }) => scopeMode !== 'all_projects' && !hasOtherProjects)
  const warning =
    limited.length === 0
      ? ''
      : ` ${limited.length === 1 ? 'This key can' : 'These keys can'} access no other project: ${escapeText(limited.map((one) => one.name).join(', '))}.`
  return `${key} (${escapeText(name)}) contains ${parts.join(', ')}, which are deleted with it.${warning}`
}
