// workgate people merge: makes one user of several, after saying what goes where and asking.

import type { Database } from '../../db/database.ts'
import { begin } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { refuseDistributed } from '../distribute/usable-cluster.ts'
import { parseOptions } from '../parse-options.ts'
import { count, hours } from '../projects/find-project.ts'
import { describePerson, findPeople, type Person } from './find-people.ts'
import { peopleUsages } from './usages.ts'
import beginMergeSql from '../../../sql/people/begin-merge.sql'
import createMergedSql from '../../../sql/people/create-merged.sql'
import describePeopleSql from '../../../sql/people/describe-people.sql'
import mergePeopleSql from '../../../sql/people/merge-people.sql'
import stageMergedSql from '../../../sql/people/stage-merged.sql'

interface Belongings {
  id: string
  tasks: number
  comments: number
  timeEntries: number
  seconds: number
  projects: number
}

const describePeople = query<Belongings>(describePeopleSql)
const beginMerge = query(beginMergeSql)
const stageMerged = query<{ id: string }>(stageMergedSql)

export function merge(args: readonly string[], { ask }: CommandContext) {
  const { values, positionals } = parseOptions(args, { yes: { type: 'boolean' } }, peopleUsages.merge, true)
  if (positionals.length < 2)
    throw new UsageError(`missing ${positionals.length === 0 ? 'KEEP' : 'OTHER'}\n\n${peopleUsages.merge}`)
  return async (db: Database) => {
    await refuseDistributed(
      db,
      'people merge cannot change a distributed database: it needs all projects on one server',
    )
    const [keep, ...others] = (await findPeople(db, positionals)) as [Person, ...Person[]]
    const text = await describe(db, keep, others)
    if (!values.yes) {
      if (!ask) throw new Error(`nothing was merged. ${text}\nIf this is right, add --yes`)
      if (!(await ask(`${text}\nMerge them? [y/N] `)))
        throw new Error('nothing was merged, because it was not confirmed')
    }
    await mergePeople(db, keep, others)
    const done = `${count(others.length, 'user was', 'users were')} merged into ${describePerson(keep)}.`
    return values.yes ? `${text}\n${done}` : done
  }
}

/** Many tasks can need more time than requests have. */
async function mergePeople(db: Database, keep: Person, others: readonly Person[]): Promise<void> {
  await db.session(async (session) => {
    await session.script(begin)
    await beginMerge(session, {})
    await session.script(createMergedSql)
    const staged = await stageMerged(session, { keepId: keep.id, otherIds: others.map(({ id }) => id) })
    if (staged.length !== others.length)
      throw new Error('nothing was merged: one of the users was deleted in the meantime')
    await session.script(mergePeopleSql)
    await session.script('commit')
  })
}

async function describe(db: Database, keep: Person, others: readonly Person[]): Promise<string> {
  const rows = await describePeople(db, { ids: others.map(({ id }) => id) })
  const lines = others.map((person) => {
    const { tasks, comments, timeEntries, seconds, projects } = rows.find(({ id }) => id === person.id)!
    const parts = [
      count(tasks, 'task'),
      count(comments, 'comment'),
      `${count(timeEntries, 'time entry', 'time entries')} (${hours(seconds)})`,
      count(projects, 'project'),
    ]
    return `  ${describePerson(person)}: ${parts.join(', ')}`
  })
  return `${describePerson(keep)} gets everything of these users, who are deleted:\n${lines.join('\n')}`
}
