// Declares what a format is: how its records are recognized, and how they become objects.

import type { Replacements } from './columns.ts'
import type { ImportedObject, OwnFields } from './objects.ts'
import type { Row } from './row.ts'
import type { MappedColumn } from './sheet-columns.ts'

export interface FileInfo {
  /** Without its folder and its extension: the name of the project if the file names none. */
  name: string
  /** The value of --timezone, by default UTC. */
  timezone?: string | undefined
  /** For a tracker that is followed: the source of all its records, instead of the addresses in them. */
  origin?: { source: string; path: string }
}

interface Format<Sample, Record> {
  /** The value of --format. */
  name: string
  /** For people: "Jira issues (CSV)". */
  title: string
  /** How to get such a file, in one line. */
  how: string
  /** The shell command that writes it, if there is one. */
  command?: string
  /** Data that is not imported, besides the history of changes and the content of files. */
  lost: string
  recognizes(sample: Sample): boolean
  /** Returns a function that is called with each record, in the order of the file. */
  open(file: FileInfo): (record: Record) => readonly ImportedObject[]
}

/** Recognized by the names of the columns. The task of a row comes before those that are repeated with it. */
export interface CsvFormat extends Format<ReadonlySet<string>, Row> {
  type: 'csv'
  /** If the file is read like a sheet of tasks: the fields of columns that do not have a usual heading. */
  columns?: readonly MappedColumn[]
  values?: Replacements
  /** The columns, besides those that the format reads, that are own fields of tasks. */
  ownColumn?(heading: string): OwnColumn | undefined
}

/** `name` is that of the field in the tool. By default, its values are texts, and lists if the file has several such columns. */
export interface OwnColumn {
  name: string
  read?: (row: Row, column: string) => OwnFields[string]
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Recognized by the first object. A record is an element of an array, a line, or the whole file. */
export interface JsonFormat extends Format<JsonObject, JsonObject> {
  type: 'json'
}
