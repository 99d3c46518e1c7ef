// Reads the objects of a file: recognizes what it is, its encoding and its format, and splits it into records.

import { splitCsv, type CsvRow } from './csv-records.ts'
import { decode, type Encoding } from './decode.ts'
import type { CsvFormat, FileInfo, JsonFormat, JsonObject } from './format.ts'
import { InvalidFile, InvalidValue } from './invalid.ts'
import { csvFormats, jsonFormats } from './formats.ts'
import { sheet } from './formats/sheet.ts'
import { splitJson } from './json-records.ts'
import type { ImportedObject } from './objects.ts'
import { Columns, fold, Row } from './row.ts'
import { mappingFor, sheetColumns, sheetFields, type MappedColumn } from './sheet-columns.ts'
import { rowFields, taskFields } from './task-fields.ts'
import type { DateOrder } from './times.ts'
import { readWorkbook } from './xlsx/workbook.ts'
import { zipSignature } from './xlsx/zip.ts'

export interface ReadOptions {
  file: FileInfo
  format: string | undefined
  encoding: Encoding | undefined
  /** The name of a sheet of a workbook. */
  sheet: string | undefined
  dateOrder: DateOrder
  /** Columns of a CSV file that become fields of tasks. */
  columns: readonly MappedColumn[]
  /** What stands for a value, by the folded column and the folded value. */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The folded names of columns that are left out. */
  ignored: readonly string[]
}

/** The objects of one record, or why it cannot be read. */
export interface ReadRecord {
  line: number
  objects: readonly ImportedObject[]
  invalid?: InvalidValue
}

/** Facts about the file, complete once it has been read. */
export interface FileReport {
  encoding: Encoding
  /** Which one of a workbook was read. */
  sheet: string | undefined
  /** The titles of the formats. */
  formats: Set<string>
  unknownColumns: string[]
  /** What the columns of a sheet mean, other than by their names. */
  columns: string[]
  /** The number of times without an offset. */
  localTimes: number
  /** The last state of a Singer tap, as JSON. */
  singerState: string | undefined
}

export function createFileReport(): FileReport {
  return {
    encoding: 'utf-8',
    sheet: undefined,
    formats: new Set(),
    unknownColumns: [],
    columns: [],
    localTimes: 0,
    singerState: undefined,
  }
}

/** The order of days and months is that of the first rows. */
const maxSampleRows = 5_000
const maxSampleLength = 4 * 1_048_576
const maxHeaderRow = 10

const severalTables =
  'are the headings again: give each table a file of its own, as exports of monday.com have several below each other'

export async function* readObjects(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  report: FileReport,
): AsyncGenerator<ReadRecord> {
  const [signature, whole] = await peekBytes(bytes, zipSignature.length)
  if (signature.equals(zipSignature)) {
    const rows = readWorkbook(whole, options.sheet, (sheet) => (report.sheet = sheet))
    return yield* readRows(rows, 'a workbook', options, report)
  }
  if (options.sheet !== undefined) throw new InvalidFile('not an Excel workbook (.xlsx), so it has no --sheet')
  const texts = decode(whole, options.encoding, (encoding) => (report.encoding = encoding))
  const [first, all] = await peek(texts)
  if (first === undefined) throw new InvalidFile('empty')
  if (first === '<')
    throw new InvalidFile(
      'HTML or XML, such as an export of Basecamp; an export in CSV or JSON is needed, or a table that you make of it',
    )
  yield* first === '[' || first === '{'
    ? readJson(all, options, report)
    : readRows(splitCsv(all), 'CSV', options, report)
}

/** Returns the first bytes, and all of them. */
async function peekBytes(
  bytes: AsyncIterable<Uint8Array>,
  count: number,
): Promise<[Buffer, AsyncIterable<Uint8Array>]> {
  const iterator = bytes[Symbol.asyncIterator]()
  let beginning = Buffer.alloc(0)
  while (beginning.length < count) {
    const next = await iterator.next()
    if (next.done) break
    beginning = Buffer.concat([beginning, next.value])
  }
  async function* all() {
    yield beginning
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return [beginning.subarray(0, count), all()]
}

/** Returns the first character that is not white space, and the whole text. */
async function peek(texts: AsyncGenerator<string>): Promise<[string | undefined, AsyncIterable<string>]> {
  let beginning = ''
  let found: string | undefined
  while (found === undefined) {
    const next = await texts.next()
    if (next.done) break
    beginning += next.value
    found = /\S/.exec(next.value)?.[0]
  }
  async function* all() {
    yield beginning
    yield* texts
  }
  return [found, all()]
}

function readRecord(line: number, read: () => readonly ImportedObject[]): ReadRecord {
  try {
    return { line, objects: read() }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    return { line, objects: [], invalid: error }
  }
}

/** `kind` is that of the file, for messages. */
async function* readRows(
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
  const said = { dateOrder, values: new Map([...(format.values ?? []), ...values]) }
  if (format.columns) {
    const others = format.columns.filter(({ field }) => !mapped.some((one) => one.field === field))
    const { columns, meanings } = sheetColumns(names, texts, [...mapped, ...others], ignored, said)
    report.columns = meanings
    return { columns, read }
  }
  const other = mapped.find(({ field }) => rowFields.includes(field))
  if (other) throw new InvalidFile(`not a sheet of tasks: only there, --column can name the ${other.field}`)
  const columns = new Columns(names, texts, said)
  return { columns, read: (row: Row) => withExtraColumns(read(row), row, mapped) }
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

/** Changes the task itself, which its format may repeat with a later row. */
function withExtraColumns(objects: readonly ImportedObject[], row: Row, extra: readonly MappedColumn[]) {
  const own = objects.find((object) => object.kind === 'task')
  const fields = extra.map(({ column, field, factor }) => taskFields[field]!(row, column, factor))
  if (own) Object.assign(own, ...fields)
  return objects
}

async function* readJson(texts: AsyncIterable<string>, options: ReadOptions, report: FileReport) {
  const readers = new Map<JsonFormat, (record: JsonObject) => readonly ImportedObject[]>()
  let isKnown = false

  function read(record: JsonObject): readonly ImportedObject[] {
    const format = jsonFormats.find((one) =>
      options.format === undefined ? one.recognizes(record) : one.name === options.format,
    )
    if (!format)
      throw new InvalidValue('', Object.keys(record).slice(0, 8).join(', '), 'is an object of no known format')
    isKnown = true
    if (!readers.has(format)) readers.set(format, format.open(options.file))
    report.formats.add(format.title)
    return readers.get(format)!(record)
  }

  for await (const { text, line } of splitJson(texts)) {
    const record = parseJson(text, line)
    if (isSingerMessage(record)) {
      if (record['type'] === 'STATE') report.singerState = JSON.stringify(record['value'])
      if (record['type'] === 'RECORD') yield readRecord(line, () => readStream(record, read))
      isKnown = true
      continue
    }
    const result = readRecord(line, () => read(record))
    if (result.invalid && !isKnown)
      throw new InvalidFile(
        `JSON of no known format: its properties are ${result.invalid.value}. See "workgate import --formats"`,
      )
    yield result
  }
}

function parseJson(text: string, line: number): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch (error) {
    throw new InvalidFile(`not valid JSON: the object in line ${line}: ${(error as Error).message}`)
  }
}

// https://hub.meltano.com/singer/spec
const isSingerMessage = (record: JsonObject) =>
  typeof record['type'] === 'string' && /^(SCHEMA|RECORD|STATE|ACTIVATE_VERSION|BATCH)$/.test(record['type'])

/** A tap sends streams that have no place here, too. */
function readStream(message: JsonObject, read: (record: JsonObject) => readonly ImportedObject[]) {
  const record = message['record'] as JsonObject | null | undefined
  if (record == null) throw new InvalidValue('record', '', 'is missing')
  if (jsonFormats.some((format) => format.recognizes(record))) return read(record)
  return [{ kind: 'note', text: `records of the stream "${String(message['stream'])}" were left out` } as const]
}
