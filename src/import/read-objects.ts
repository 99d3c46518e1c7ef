// Reads the objects of a file: recognizes what it is and its encoding.

import { splitCsv } from './csv-records.ts'
import { decode } from './decode.ts'
import { InvalidFile } from './invalid.ts'
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
