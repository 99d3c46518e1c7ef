// Reads the objects of JSON files, and of the messages of a Singer tap.

import type { JsonFormat, JsonObject } from './format.ts'
import { jsonFormats } from './formats.ts'
import { InvalidFile, InvalidValue } from './invalid.ts'
import { splitJson } from './json-records.ts'
import type { ImportedObject } from './objects.ts'
import { readRecord, type FileReport, type ReadOptions } from './reading.ts'

export async function* readJson(texts: AsyncIterable<string>, options: ReadOptions, report: FileReport) {
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
