// workgate imports undo: takes an import back, after saying what that means and asking.

import type { Database } from '../../db/database.ts'
import { describeInvalid, countsTable } from '../../import/summary.ts'
import { undoImport, type UndoneImport } from '../../import/undo-import.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { IncompleteError, UsageError, type CommandContext } from '../command-context.ts'
import { refuseDistributed } from '../distribute/usable-cluster.ts'
import { parseOptions } from '../parse-options.ts'
import { importsUsages } from './usages.ts'

export function undo(args: readonly string[], { ask, print }: CommandContext) {
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseOptions(args, { 'dry-run': flag, yes: flag }, importsUsages.undo, true)
  const [id, extra] = positionals
  if (id === undefined) throw new UsageError(`missing ID\n\n${importsUsages.undo}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${importsUsages.undo}`)
  if (!/^[1-9]\d{0,17}$/.test(id))
    throw new UsageError(`ID must be a number, which "workgate imports" lists, not "${id}"`)

  return async (db: Database) => {
    await refuseDistributed(
      db,
      'imports undo cannot change a distributed database: it needs all projects on one server',
    )
    const attempt = async (commits: boolean) => {
      const undone = await db.session((session) => undoImport(session, db, id, commits))
      if (!undone) throw new UsageError(`there is no import ${id}: "workgate imports" lists the last ones`)
      const { invalid } = undone.outcomes
      if (invalid.length > 0)
        throw new Error(['nothing was written:', ...describeInvalid(invalid).map((line) => `  ${line}`)].join('\n'))
      return undone
    }
    let undone = await attempt(values.yes === true && !values['dry-run'])
    print(describe(undone))
    if (values['dry-run']) return '\nNothing was written (--dry-run).'
    if (undone.outcomes.kinds.length > 0 && !undone.isCommitted) {
      if (!ask) throw new Error('nothing was written: if this is right, add --yes')
      if (!(await ask(`Undo import ${id}? [y/N] `)))
        throw new Error('nothing was written, because it was not confirmed')
      undone = await attempt(true)
    }
    if (undone.isCommitted) print(`\nImport ${id} was undone.`)
    if (undone.changed > 0)
      throw new IncompleteError(`${objects(undone.changed)} changed after the import, and so remained as they are`)
    return undefined
  }
}

const objects = (count: number) => (count === 1 ? 'an object was' : `${count} objects were`)

function describe({ file, outcomes, changed, names }: UndoneImport): string {
  const more = changed - names.length
  return [
    `Without the import of ${escapeText(file)}:`,
    '',
    outcomes.kinds.length === 0 ? 'Nothing changes.' : countsTable(outcomes),
    ...(changed === 0
      ? []
      : ['', 'Changed since, and left as they are:', ...names.map((name) => `  ${escapeText(name)}`)]),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}
