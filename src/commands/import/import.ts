// workgate import: brings projects up to date with a file that another tool exported.

import type { Database } from '../../db/database.ts'
import { serverError } from '../../db/errors.ts'
import { query } from '../../db/statements/query.ts'
import { formats } from '../../import/formats.ts'
import { InvalidFile } from '../../import/invalid.ts'
import { concernsOf, type PlannedChange } from '../../import/plan.ts'
import { createFileReport } from '../../import/reading.ts'
import { readObjects } from '../../import/read-objects.ts'
import { recordImport } from '../../import/record-import.ts'
import type { ImportResult } from '../../import/outcomes.ts'
import { runImport, type ImportOptions } from '../../import/run-import.ts'
import { describeImport, describeInvalid } from '../../import/summary.ts'
import { IncompleteError, UsageError, type CommandContext } from '../command-context.ts'
import { fillFirst, refuseDistributed } from '../distribute/usable-cluster.ts'
import { counted, openFile } from '../input-file.ts'
import { explorerUrl } from '../page-addresses.ts'
import { quote } from '../program.ts'
import { checkSchema, retryUntilAvailable, prepareSchema, withDatabase } from '../with-database.ts'
import { findMapping, saveMapping } from './mappings.ts'
import { readArguments, type ImportArguments } from './options.ts'
import anyKeySql from '../../../sql/keys/any-key.sql'

const findAnyKey = query<{ exists: boolean }>(anyKeySql)

export async function importFile(context: CommandContext): Promise<void> {
  const given = readArguments(context.args)
  if (!given) return context.print(describeFormats())
  if (context.config.DATABASE_POOLER)
    throw new UsageError(
      'import needs a database session: set DATABASE_URL to the server itself, and leave DATABASE_POOLER empty',
    )
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () =>
      given.options.dryRun ? checkSchema(db, '--dry-run changes nothing') : prepareSchema(context, db),
    )
    await refuseDistributed(db, `import cannot fill a distributed database: ${fillFirst}`)
    const wanted = await withSaved(context, db, given)
    await run(context, db, wanted).catch((error: unknown) => {
      if (error instanceof InvalidFile) throw new Error(`${wanted.options.file} is ${error.message}`)
      if (serverError(error)?.code !== '22023') throw error
      throw new UsageError(`--timezone: "${wanted.options.timezone}" is not a time zone that PostgreSQL knows`)
    })
  })
}

async function withSaved({ args }: CommandContext, db: Database, given: ImportArguments): Promise<ImportArguments> {
  if (given.like === undefined) return given
  return readArguments([...(await findMapping(db, given.options.project!, given.like)), ...args])!
}

async function run(context: CommandContext, db: Database, wanted: ImportArguments): Promise<void> {
  const { path, read, limit, isQuiet, save } = wanted
  const report = createFileReport()
  const { dryRun, skipInvalid, file } = wanted.options
  const options: ImportOptions = {
    ...wanted.options,
    ...confirmation(context, wanted),
    record: (session, result) => recordImport(session, db, { file, formats: report.formats }, result),
  }
  const { bytes, stream } = openFile(context, path)
  const source = {
    bytes,
    read: (onRead: (bytes: number) => void) => readObjects(counted(stream, onRead), read, report),
  }
  const result = await db.session((session) => runImport(session, source, options, context.progress))
  if (result.invalid.length > 0 && !skipInvalid) {
    throw new Error(
      [
        `${file}: ${result.invalid.length === 1 ? 'a row cannot' : `${result.invalid.length} rows cannot`} be imported, so nothing was written:`,
        ...describeInvalid(result.invalid).map((line) => `  ${line}`),
        `Correct ${result.invalid.length === 1 ? 'it' : 'them'}, or import the other rows with --skip-invalid.`,
      ].join('\n'),
    )
  }
  if (!dryRun && !result.isCommitted) throw new Error('nothing was written, because it was not confirmed')
  if (save !== undefined && result.isCommitted) await saveMapping(db, options.project!, save, wanted.mapping)
  if (!isQuiet || result.invalid.length > 0) {
    context.print(describeImport(result, report, read, concernsOf(result.plan, limit)))
    context.print('')
    if (dryRun) context.print('Nothing was written (--dry-run).')
    else await printNextSteps(context, db, result, wanted)
  }
  if (report.singerState !== undefined && result.isCommitted) context.print(report.singerState)
  if (result.invalid.length > 0)
    throw new IncompleteError(
      result.invalid.length === 1
        ? `a row of ${file} was skipped`
        : `${result.invalid.length} rows of ${file} were skipped`,
    )
}

async function printNextSteps(
  context: CommandContext,
  db: Database,
  { kinds }: ImportResult,
  { path, options, save }: ImportArguments,
): Promise<void> {
  const projects = kinds.filter(({ kind }) => kind === 'projects')
  const isOne = projects.length === 1 && projects[0]!.count === 1
  const view = isOne ? `#/projects/${projects[0]!.names[0]!.split(' ')[0]}` : ''
  const [keys] = await findAnyKey(db, {})
  if (!keys!.exists) context.print(`Create a key: ${context.program} keys create NAME --all-projects`)
  if (save !== undefined)
    context.print(
      `Next time: ${context.program} import ${quote(path)} --project ${options.project} --like ${quote(save)}`,
    )
  context.print(`See the ${isOne ? 'project' : 'projects'}: ${await explorerUrl(context.config, db, view)}`)
}

/** Only a person at a terminal is asked. More deletions than the limit need an option of their own. */
function confirmation({ ask }: CommandContext, { limit, mayDelete, mayAddSource }: ImportArguments) {
  const unconfirmed = (plan: readonly PlannedChange[]) =>
    concernsOf(plan, limit).filter(
      ({ option }) => !(option === '--yes' && mayDelete) && !(option === '--add-source' && mayAddSource),
    )
  return {
    accepts: (plan: readonly PlannedChange[]) => unconfirmed(plan).length === 0,
    async ask(plan: readonly PlannedChange[]): Promise<boolean> {
      const concerns = unconfirmed(plan)
      const isTooMany = concerns.some(({ option }) => option.startsWith('--delete-up-to'))
      if (ask && !isTooMany) return ask(`${concerns.map(({ text }) => text).join('. ')}. Do it? [y/N] `)
      const lines = concerns.map(({ option, text }) => `  ${text}: if this is right, add ${option}`)
      throw new Error(['nothing was written:', ...lines].join('\n'))
    },
  }
}

function describeFormats(): string {
  const lines = formats.map(({ name, title, how, command }) =>
    [
      `${name.padEnd(12)} ${title}`,
      ...[how, ...(command?.split('\n') ?? [])].map((line) => ' '.repeat(13) + line),
    ].join('\n'),
  )
  return ['The format of a file is recognized. --format chooses one:', '', ...lines].join('\n')
}
