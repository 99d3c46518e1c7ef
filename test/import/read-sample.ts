// Reads a sample through the format that recognizes it.

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { csvFormats, jsonFormats } from '../../src/import/formats.ts'
import type { JsonObject } from '../../src/import/format.ts'
import type { ImportedObject } from '../../src/import/objects.ts'
import { Columns, fold } from '../../src/import/columns.ts'
import { createColumnsReader } from '../../src/import/own-columns.ts'
import { Row } from '../../src/import/row.ts'

export interface Sample {
  /** The name of the format. */
  format: string
  /** Without properties that are undefined. */
  objects: ImportedObject[]
  unusedColumns: string[]
}

/** `edit` changes the text of the file before it is read. */
export function readSample(file: string, edit = (text: string) => text, timezone?: string): Sample {
  const text = edit(readFileSync(`test/import/samples/${file}`, 'utf8'))
  const info = { name: file.replace(/\.\w+$/, ''), ...(timezone === undefined ? {} : { timezone }) }
  if (file.endsWith('.csv')) {
    const [names, ...lines] = parse(text, { bom: true, relax_column_count: true }) as string[][]
    const columns = new Columns(names!, lines)
    const format = csvFormats.find((one) => one.recognizes(new Set(names!.map(fold))))!
    const read = format.open(info)
    const withColumns = createColumnsReader(format, names!, [], [])
    const objects = lines.flatMap((line) => {
      const row = new Row(columns, line)
      return withColumns(read(row), row)
    })
    return { format: format.name, objects: plain(objects), unusedColumns: columns.unused() }
  }
  const whole = JSON.parse(text) as JsonObject | JsonObject[]
  const records = Array.isArray(whole) ? whole : [whole]
  const format = jsonFormats.find((one) => one.recognizes(records[0]!))!
  return { format: format.name, objects: plain(records.flatMap(format.open(info))), unusedColumns: [] }
}

const plain = (objects: ImportedObject[]) => JSON.parse(JSON.stringify(objects)) as ImportedObject[]
