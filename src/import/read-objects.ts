// Reads the objects of a file: recognizes what it is and its encoding.

import { splitCsv } from './csv-records.ts'
import { decode } from './decode.ts'
import { InvalidFile } from './invalid.ts'
import { joinTexts, readAhead } from './read-ahead.ts'
import { readJson } from './read-json.ts'
import { readRows } from './read-rows.ts'
import type { FileReport, ReadOptions, ReadRecord } from './reading.ts'
import { readWorkbook } from './xlsx/workbook.ts'
import { zipSignature } from './xlsx/zip.ts'

export async function* readObjects(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  report: FileReport,
): AsyncGenerator<ReadRecord> {
  const [beginning, whole] = await readAhead<Uint8Array>(
    bytes,
    Buffer.concat,
    (_, length) => length >= zipSignature.length,
  )
  if (zipSignature.equals(beginning.subarray(0, zipSignature.length))) {
    const rows = readWorkbook(whole, options.sheet, (sheet) => (report.sheet = sheet))
    return yield* readRows(rows, 'a workbook', options, report)
  }
  if (options.sheet !== undefined) throw new InvalidFile('not an Excel workbook (.xlsx), so it has no --sheet')
  const texts = decode(whole, options.encoding, (encoding) => (report.encoding = encoding))
  const [text, all] = await readAhead(texts, joinTexts, (piece) => /\S/.test(piece))
  const first = text.trimStart()[0]
  if (first === undefined) throw new InvalidFile('empty')
  if (first === '<')
    throw new InvalidFile(
      'HTML or XML, such as an export of Basecamp; an export in CSV or JSON is needed, or a table that you make of it',
    )
  yield* first === '[' || first === '{'
    ? readJson(all, options, report)
    : readRows(splitCsv(all), 'CSV', options, report)
}
