// Splits CSV text into rows. The separator is the one that the first line names, as in "sep=;", or contains most often.

import { pipeline, Readable } from 'node:stream'
import { parse, type CsvError } from 'csv-parse'
import { InvalidFile } from './invalid.ts'
import { joinTexts, readAhead } from './read-ahead.ts'
import type { CellKind } from './row.ts'

export interface CsvRow {
  values: string[]
  /** The line where the row begins, or its number in the sheet of a workbook. */
  line: number
  /** Set for the cells of a workbook that are not text. */
  kinds?: readonly CellKind[]
}

const separators = [',', ';', '\t']
/** As Excel understands it. Other programs quote it. */
const separatorLine = /^"?sep=([^\w"\r\n])"?[\r\n]/i
const maxRecordLength = 16 * 1_048_576

/** The first row has the names of the columns. */
export async function* splitCsv(texts: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const [beginning, all] = await readAhead(
    texts,
    joinTexts,
    (piece, length) => /[\r\n]/.test(piece) || length > maxRecordLength,
  )
  const named = separatorLine.exec(beginning)?.[1]
  /** The parser is ahead of its reader. */
  let parsedLines = 0
  const parser = parse({
    delimiter: named ?? separatorOf(beginning),
    // A file that two programs wrote can have several.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordLength,
    on_record(record: string[], { lines }) {
      parsedLines = lines
      return record
    },
  })
  // An error of the source becomes one of the parser.
  pipeline(Readable.from(all), parser, () => {})
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (named === undefined || line > 1) yield { values: record, line }
      line = info.lines + 1
    }
  } catch (error) {
    throw describe(error as CsvError, parsedLines + 1)
  }
}

function separatorOf(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/)
  const counts = separators.map((separator) => first.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))]!
}

function describe(error: CsvError, line: number): Error {
  const reasons: Partial<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: 'a quoted value does not end',
    CSV_INVALID_CLOSING_QUOTE: 'there is text after a quoted value',
    INVALID_OPENING_QUOTE: 'there is a quote within a value that is not quoted',
    CSV_MAX_RECORD_SIZE: `a row is longer than ${maxRecordLength} characters`,
  }
  const reason = reasons[error.code]
  return reason === undefined
    ? error
    : new InvalidFile(`not valid CSV: in the row that begins in line ${line}, ${reason}`)
}
