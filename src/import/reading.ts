// The options of reading a file, and its results.

import type { Replacements } from './columns.ts'
import type { Encoding } from './decode.ts'
import type { FileInfo } from './format.ts'
import { InvalidValue } from './invalid.ts'
import type { ImportedObject } from './objects.ts'
import type { MappedColumn } from './sheet-columns.ts'
import type { DateOrder } from './times.ts'

export interface ReadOptions {
  file: FileInfo
  format: string | undefined
  encoding: Encoding | undefined
  /** The name of a sheet of a workbook. */
  sheet: string | undefined
  dateOrder: DateOrder
  /** Columns of a CSV file that become fields of tasks. */
  columns: readonly MappedColumn[]
  values: Replacements
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

export function readRecord(line: number, read: () => readonly ImportedObject[]): ReadRecord {
  try {
    return { line, objects: read() }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    return { line, objects: [], invalid: error }
  }
}
