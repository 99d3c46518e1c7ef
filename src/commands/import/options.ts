// Reads the arguments of workgate import.

import { basename } from 'node:path'
import { encodings, type Encoding } from '../../import/decode.ts'
import { formats } from '../../import/formats.ts'
import { defaultLimit, type DeletionLimit } from '../../import/plan.ts'
import type { ReadOptions } from '../../import/reading.ts'
import { fold, ownFieldOf } from '../../import/columns.ts'
import type { ImportOptions } from '../../import/run-import.ts'
import { sheetFields, type MappedColumn } from '../../import/sheet-columns.ts'
import type { DateOrder } from '../../import/times.ts'
import { UsageError } from '../command-context.ts'
import { parseOptions } from '../parse-options.ts'
import { readKey } from '../projects/usages.ts'

export const importUsage = `workgate import FILE|- [--project KEY] [--dry-run] [--skip-invalid] [--format NAME] [--encoding NAME]
  [--sheet NAME] [--column "NAME=FIELD[:FACTOR]"]… [--value "NAME:TEXT=VALUE"]… [--ignore NAME]… [--leave-out TYPE]…
  [--dates dmy|mdy] [--timezone ZONE] [--full [--yes] [--delete-up-to N|N%]] [--add-source] [--create-tasks] [--quiet]
  [--save NAME] [--like NAME]
workgate import --formats`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const list = { type: 'string', multiple: true } as const

export interface ImportArguments {
  path: string
  read: ReadOptions
  options: Omit<ImportOptions, 'accepts' | 'ask' | 'record'>
  /** The options say that as many tasks may be deleted. */
  limit: DeletionLimit
  mayDelete: boolean
  mayAddSource: boolean
  isQuiet: boolean
  /** The name of the saved options to begin with. */
  like: string | undefined
  /** The name to save the options of the mapping as. */
  save: string | undefined
  mapping: readonly string[]
}

/** The options that say what a file means. They can be saved. */
const mappingOptions = {
  format: text,
  encoding: text,
  sheet: text,
  dates: text,
  timezone: text,
  column: list,
  value: list,
  ignore: list,
  'leave-out': list,
  'create-tasks': flag,
} as const

/** Returns undefined if only the formats are wanted. Of an option that is there twice, the later one counts. */
export function readArguments(args: readonly string[]): ImportArguments | undefined {
  const { values, positionals } = parseOptions(
    args,
    {
      ...mappingOptions,
      project: text,
      'dry-run': flag,
      'skip-invalid': flag,
      full: flag,
      yes: flag,
      'delete-up-to': text,
      'add-source': flag,
      save: text,
      like: text,
      quiet: flag,
      formats: flag,
    },
    importUsage,
    true,
  )
  if (values.formats) return undefined
  const [path, extra] = positionals
  if (path === undefined) throw new UsageError(`missing FILE; - reads standard input\n\n${importUsage}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${importUsage}`)
  if (values.full && values['skip-invalid'])
    throw new UsageError('--full cannot be combined with --skip-invalid: the tasks of skipped rows would be deleted')
  for (const option of ['save', 'like'] as const)
    if (values[option] !== undefined && values.project === undefined)
      throw new UsageError(`--${option} needs --project KEY: options are saved for a project`)
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
  const options = {
    file,
    project: values.project === undefined ? undefined : readKey('--project', values.project),
    timezone: values.timezone ?? 'UTC',
    full: values.full ?? false,
    createTasks: values['create-tasks'] ?? false,
    leftOut: (values['leave-out'] ?? []).map(fold),
    skipInvalid: values['skip-invalid'] ?? false,
    dryRun: values['dry-run'] ?? false,
  }
  return {
    path,
    read,
    options,
    limit: values['delete-up-to'] === undefined ? defaultLimit : readLimit(values['delete-up-to']),
    mayDelete: values.yes === true || values['delete-up-to'] !== undefined,
    mayAddSource: values['add-source'] ?? false,
    isQuiet: values.quiet ?? false,
    like: values.like,
    save: values.save === undefined ? undefined : readName(values.save),
    mapping: Object.keys(mappingOptions).flatMap((option) =>
      written(option, values[option as keyof typeof mappingOptions]),
    ),
  }
}

function readName(name: string): string {
  if (!/^\S(.*\S)?$/.test(name) || name.length > 100)
    throw new UsageError(`--save must be a name of 1 to 100 characters, without spaces around it, not "${name}"`)
  return name
}

function written(option: string, value: string | boolean | readonly string[] | undefined): string[] {
  if (value === undefined) return []
  return [value].flat().map((one) => (one === true ? `--${option}` : `--${option}=${String(one)}`))
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

function readColumn(text: string): MappedColumn {
  const [, column, field, factor = '1'] = /^(.+)=([\w.]+)(?::(\d+(?:\.\d+)?))?$/.exec(text) ?? []
  if (column === undefined || field === undefined)
    throw new UsageError(`--column must be NAME=FIELD or NAME=FIELD:FACTOR, not "${text}"`)
  if (!sheetFields.includes(field) && ownFieldOf(field) === undefined)
    throw new UsageError(`--column: the field must be one of ${sheetFields.join(', ')}, or fields.NAME, not "${field}"`)
  return { column, field, factor: Number(factor) }
}

/** The values that replace others, by column. */
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
