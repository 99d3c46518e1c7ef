// workgate import: brings projects up to date with a file that another tool exported.

import { basename } from 'node:path'
import { projectKeyPattern } from '../api/input/object-names.ts'
import type { Database } from '../db/database.ts'
import { query } from '../db/statements/query.ts'
import { serverError } from '../db/errors.ts'
import { encodings, type Encoding } from '../import/decode.ts'
import { InvalidFile } from '../import/invalid.ts'
import { formats } from '../import/formats.ts'
import { createFileReport, readObjects, type ReadOptions } from '../import/read-objects.ts'
import { fold } from '../import/row.ts'
import { concernsOf, defaultLimit, type DeletionLimit, type PlannedChange } from '../import/plan.ts'
import { runImport, type ImportOptions, type ImportResult } from '../import/run-import.ts'
import { describeImport, describeInvalid } from '../import/summary.ts'
import { sheetFields, type MappedColumn } from '../import/sheet-columns.ts'
import type { DateOrder } from '../import/times.ts'
import { IncompleteError, UsageError, type CommandContext } from './command-context.ts'
import { counted, openFile } from './input-file.ts'
import { explorerUrl } from './page-addresses.ts'
import { parseOptions } from './parse-options.ts'
import { fillFirst, refuseDistributed } from './distribute/usable-cluster.ts'
import { checkSchema, retryUntilAvailable, prepareSchema, withDatabase } from './with-database.ts'
import anyKeySql from '../../sql/keys/any-key.sql'

const findAnyKey = query<{ exists: boolean }>(anyKeySql)

export const importUsage = `workgate import FILE|- [--project KEY] [--dry-run] [--skip-invalid] [--format NAME] [--encoding NAME]
  [--sheet NAME] [--column "NAME=FIELD[:FACTOR]"]… [--value "NAME:TEXT=VALUE"]… [--ignore NAME]… [--leave-out TYPE]…
  [--dates dmy|mdy] [--timezone ZONE] [--full [--yes] [--delete-up-to N|N%]] [--add-source] [--create-tasks] [--quiet]
workgate import --formats`

export async function importFile(context: CommandContext): Promise<void> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const list = { type: 'string', multiple: true } as const
  const { values, positionals } = parseOptions(
    context.args,
    {
      project: text,
      format: text,
      encoding: text,
      sheet: text,
      dates: text,
      timezone: text,
      column: list,
      value: list,
      ignore: list,
      'dry-run': flag,
      'skip-invalid': flag,
      full: flag,
      yes: flag,
      'delete-up-to': text,
      'add-source': flag,
      'create-tasks': flag,
      'leave-out': list,
      quiet: flag,
      formats: flag,
    },
    importUsage,
    true,
  )
  if (values.formats) return context.print(describeFormats())
  const [path, extra] = positionals
  if (path === undefined) throw new UsageError(`missing FILE; - reads standard input\n\n${importUsage}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${importUsage}`)
  if (context.config.DATABASE_POOLER)
    throw new UsageError(
      'import needs a database session: set DATABASE_URL to the server itself, and leave DATABASE_POOLER empty',
    )
  if (values.full && values['skip-invalid'])
    throw new UsageError('--full cannot be combined with --skip-invalid: the tasks of skipped rows would be deleted')
  const file = path === '-' ? 'standard input' : basename(path)
  const read: ReadOptions = {
    file: {
      name: path === '-' ? 'Import' : file.replace(/\.\w+$/, ''),
      timezone: values.timezone,
    },
    format: oneOf(
      'format',
      values.format,
      formats.map(({ name }) => name),
    ),
    encoding: oneOf('encoding', values.encoding?.toLowerCase(), encodings) as Encoding | undefined,
    sheet: values.sheet,
    dateOrder: oneOf('dates', values.dates, ['dmy', 'mdy']) as DateOrder,
    columns: (values.column ?? []).map(readColumn),
    values: readValues(values.value ?? []),
    ignored: (values.ignore ?? []).map(fold),
  }
  const limit = values['delete-up-to'] === undefined ? defaultLimit : readLimit(values['delete-up-to'])
  const options = {
    file,
    project: readProject(values.project),
    timezone: values.timezone ?? 'UTC',
    full: values.full ?? false,
    createTasks: values['create-tasks'] ?? false,
    leftOut: (values['leave-out'] ?? []).map(fold),
    skipInvalid: values['skip-invalid'] ?? false,
    dryRun: values['dry-run'] ?? false,
    ...confirmation(context, limit, values.yes ?? false, values['add-source'] ?? false),
  }
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () =>
      options.dryRun ? checkSchema(db, '--dry-run changes nothing') : prepareSchema(context, db),
    )
    await refuseDistributed(db, `import cannot fill a distributed database: ${fillFirst}`)
    await run(context, db, path, read, options, limit, values.quiet ?? false).catch((error: unknown) => {
      if (error instanceof InvalidFile) throw new Error(`${file} is ${error.message}`)
      if (serverError(error)?.code !== '22023') throw error
      throw new UsageError(`--timezone: "${options.timezone}" is not a time zone that PostgreSQL knows`)
    })
  })
}

async function run(
  context: CommandContext,
  db: Database,
  path: string,
  read: ReadOptions,
  options: ImportOptions,
  limit: DeletionLimit,
  isQuiet: boolean,
): Promise<void> {
  const report = createFileReport()
  const { dryRun, skipInvalid, file } = options
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
  if (!isQuiet || result.invalid.length > 0) {
    context.print(describeImport(result, report, read, concernsOf(result.plan, limit)))
    context.print('')
    if (dryRun) context.print('Nothing was written (--dry-run).')
    else await printNextSteps(context, db, result)
  }
  if (report.singerState !== undefined && result.isCommitted) context.print(report.singerState)
  if (result.invalid.length > 0)
    throw new IncompleteError(
      result.invalid.length === 1
        ? `a row of ${file} was skipped`
        : `${result.invalid.length} rows of ${file} were skipped`,
    )
}

async function printNextSteps(context: CommandContext, db: Database, { kinds }: ImportResult): Promise<void> {
  const projects = kinds.filter(({ kind }) => kind === 'projects')
  const isOne = projects.length === 1 && projects[0]!.count === 1
  const view = isOne ? `#/projects/${projects[0]!.names[0]!.split(' ')[0]}` : ''
  const [keys] = await findAnyKey(db, {})
  if (!keys!.exists) context.print(`Create a key: ${context.program} keys create NAME --all-projects`)
  context.print(`See the ${isOne ? 'project' : 'projects'}: ${explorerUrl(context.config, view)}`)
}

/** Only a person at a terminal is asked. More deletions than the limit need an option of their own. */
function confirmation({ ask }: CommandContext, limit: DeletionLimit, mayDelete: boolean, mayAdd: boolean) {
  const unconfirmed = (plan: readonly PlannedChange[]) =>
    concernsOf(plan, limit).filter(
      ({ option }) => !(option === '--yes' && mayDelete) && !(option === '--add-source' && mayAdd),
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

function readLimit(text: string): DeletionLimit {
  const [, digits, percent] = /^(\d+)(%?)$/.exec(text) ?? []
  if (digits === undefined)
    throw new UsageError(`--delete-up-to must be a number of tasks or a percentage, such as 60%, not "${text}"`)
  return percent ? { share: Number(digits) / 100, count: Infinity } : { share: 1, count: Number(digits) }
}

function oneOf(option: string, value: string | undefined, choices: readonly string[]): string | undefined {
  if (value !== undefined && !choices.includes(value))
    throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not "${value}"`)
  return value
}

function readProject(text: string | undefined): string | undefined {
  const key = text?.toUpperCase()
  if (key !== undefined && !projectKeyPattern.test(key))
    throw new UsageError(
      `--project must be a key of 2 to 10 of the characters A-Z and 0-9, the first a letter, not "${text}"`,
    )
  return key
}

function readColumn(text: string): MappedColumn {
  const [, column, field, factor = '1'] = /^(.+)=(\w+)(?::(\d+(?:\.\d+)?))?$/.exec(text) ?? []
  if (column === undefined || field === undefined)
    throw new UsageError(`--column must be NAME=FIELD or NAME=FIELD:FACTOR, not "${text}"`)
  if (!sheetFields.includes(field))
    throw new UsageError(`--column: the field must be one of ${sheetFields.join(', ')}, not "${field}"`)
  return { column, field, factor: Number(factor) }
}

/** What stands for a value, by column. */
function readValues(texts: readonly string[]): ReadOptions['values'] {
  const byColumn = new Map<string, Map<string, string>>()
  for (const text of texts) {
    const [, column, value, meant] = /^([^:]+):([^=]*)=(.*)$/s.exec(text) ?? []
    if (column === undefined || value === undefined || meant === undefined)
      throw new UsageError(`--value must be NAME:TEXT=VALUE, such as "Status:Erledigt=completed", not "${text}"`)
    const values = byColumn.get(fold(column)) ?? new Map<string, string>()
    byColumn.set(fold(column), values.set(fold(value), meant.trim()))
  }
  return byColumn
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
