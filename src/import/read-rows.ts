// Reads the rows of CSV and of workbooks: finds their headings, what the columns mean, and the format.

import type { CsvRow } from './csv-records.ts'
import type { CsvFormat } from './format.ts'
import { csvFormats } from './formats.ts'
import { sheet } from './formats/sheet.ts'
import { InvalidFile, InvalidValue } from './invalid.ts'
import type { ImportedObject } from './objects.ts'
import { createColumnsReader, ownColumnsOf } from './own-columns.ts'
import { readRecord, type FileReport, type ReadOptions } from './reading.ts'
import { Columns, fold, type Replacements } from './columns.ts'
import { Row } from './row.ts'
import { mappingFor, sheetColumns, sheetFields } from './sheet-columns.ts'
import { rowFields } from './task-fields.ts'

/** The order of days and months is that of the first rows. */
const maxSampleRows = 5_000
const maxSampleLength = 4 * 1_048_576
const maxHeaderRow = 10

const severalTables =
  'are the headings again: give each table a file of its own, as exports of monday.com have several below each other'

/** `kind` says what the file is, for messages. */
export async function* readRows(
  records: AsyncGenerator<CsvRow>,
  kind: 'CSV' | 'a workbook',
  options: ReadOptions,
  report: FileReport,
) {
  const sample: CsvRow[] = []
  for (let length = 0; sample.length < maxSampleRows && length < maxSampleLength;) {
    const next = await records.next()
    if (next.done) break
    sample.push(next.value)
    length += next.value.values.reduce((sum, value) => sum + value.length, 0)
  }
  // Spreadsheets write rows that were emptied, with separators only.
  const isEmpty = ({ values }: CsvRow) => values.every((value) => value.trim() === '')
  const first = sample.filter((row) => !isEmpty(row))
  const header = findHeader(first, options)
  const { columns, read } = openRows(first[header]?.values ?? [], first.slice(header + 1), kind, options, report)
  let hasRows = false
  for await (const record of chain(first.slice(header + 1), records)) {
    if (isEmpty(record)) continue
    hasRows = true
    const { line, kinds } = record
    // The rows of workbooks end with their last cell, and cells without a heading mean nothing.
    const values = kinds ? columns.names.map((_, index) => record.values[index] ?? '') : record.values
    yield readRecord(line, () => {
      if (values.length !== columns.names.length)
        throw new InvalidValue(
          '',
          values.join(' ').slice(0, 40),
          `the row has ${values.length} ${values.length === 1 ? 'value' : 'values'} instead of ${columns.names.length}`,
        )
      if (values.length > 1 && values.every((value, n) => value === columns.names[n]))
        throw new InvalidValue('', values.join(' ').slice(0, 40), severalTables)
      return read(new Row(columns, values, kinds))
    })
  }
  // A column is known once a row has been read.
  report.unknownColumns = hasRows ? columns.unused() : []
  report.localTimes = columns.localTimes
}

async function* chain<T>(first: readonly T[], others: AsyncIterable<T>) {
  yield* first
  yield* others
}

/** Spreadsheets can have a title above their headings. */
function findHeader(rows: readonly CsvRow[], options: ReadOptions): number {
  const found = rows.slice(0, maxHeaderRow).findIndex(({ values }) => formatFor(values, options) !== undefined)
  return Math.max(found, 0)
}

/** `rows` are the first ones. */
function openRows(
  names: readonly string[],
  rows: readonly CsvRow[],
  kind: string,
  options: ReadOptions,
  report: FileReport,
): { columns: Columns; read: (row: Row) => readonly ImportedObject[] } {
  const { columns: mapped, values, ignored, dateOrder } = options
  for (const column of new Set([...mapped.map(({ column }) => column), ...values.keys()]))
    if (!names.some((name) => fold(name) === fold(column)))
      throw new InvalidFile(`without a column "${column}", which --column or --value names`)
  const format = findCsvFormat(names, kind, options)
  report.formats.add(format.title)
  const read = format.open(options.file)
  const texts = rows.map((row) => row.values)
  const said = { dateOrder, values: added(format.values, values) }
  if (format.columns) {
    const others = [...format.columns, ...ownColumnsOf(format, names)].filter(
      ({ column, field }) => !ignored.includes(fold(column)) && !mapped.some((one) => one.field === field),
    )
    const { columns, meanings } = sheetColumns(names, texts, [...others, ...mapped], ignored, said)
    report.columns = meanings
    return { columns, read }
  }
  const other = mapped.find(({ field }) => rowFields.includes(field))
  if (other) throw new InvalidFile(`not a sheet of tasks: only there, --column can name the ${other.field}`)
  const isMapped = (name: string) => mapped.some(({ column }) => fold(column) === fold(name))
  const keys = names.map((name) => (ignored.includes(fold(name)) && !isMapped(name) ? `\0${name}` : name))
  const withColumns = createColumnsReader(format, names, mapped, ignored)
  return { columns: new Columns(names, texts, said, keys), read: (row: Row) => withColumns(read(row), row) }
}

/** The values of the user replace those of the format. */
function added(ofFormat: Replacements = new Map(), ofUser: Replacements): Replacements {
  const all = new Map(ofFormat)
  for (const [column, values] of ofUser) all.set(column, new Map([...(ofFormat.get(column) ?? []), ...values]))
  return all
}

/** The format of a file whose columns have these names. */
function formatFor(names: readonly string[], { format: wanted, columns, ignored }: ReadOptions): CsvFormat | undefined {
  const all = new Set(names.map(fold))
  const title = columns.find(({ field }) => field === 'title')
  if (wanted === undefined && title) return all.has(fold(title.column)) ? sheet : undefined
  const read = new Set([...all].filter((name) => !ignored.includes(name)))
  return csvFormats.find((one) => one.recognizes(read) && (wanted === undefined || one.name === wanted))
}

function findCsvFormat(names: readonly string[], kind: string, options: ReadOptions): CsvFormat {
  const { format: wanted } = options
  const named = csvFormats.find(({ name }) => name === wanted)
  const format = named ?? formatFor(names, options)
  if (format) return format
  if (wanted !== undefined) throw new InvalidFile(`${kind}, but --format ${wanted} is JSON`)
  throw new InvalidFile(
    `${kind} of no known format. Say which of its columns are what, at least the title, and leave out the others:\n  ${mappingFor(names)}\n` +
      `Fields: ${sheetFields.join(', ')}. For the formats of tools, see "workgate import --formats".`,
  )
}
