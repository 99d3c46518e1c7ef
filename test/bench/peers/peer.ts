// Servers that are compared with Workgate.

import type { Sql } from '../../support/workgate.ts'
import type { BenchRequest } from '../bench-load.ts'
import type { Service } from '../bench-service.ts'

/** A server that contains the same tasks as Workgate, in the same projects. */
export interface Peer {
  name: string
  start(): Promise<Service>
  clients: readonly Client[]
}

/** Requests to a peer with one kind of authentication. Each request lists 50 tasks of a project, the newest first. */
export interface Client {
  label: string
  /** Its database on the PostgreSQL server, if it uses one. */
  database?: string
  /** The same list of each project every time. */
  repeated: BenchRequest[]
  /** The same lists with a filter that is different in every request. */
  first(): BenchRequest[]
  /** Returns the titles of the tasks in a response. */
  titles(body: any): string[]
  /** How many times as fast Workgate must be. */
  targets?: { repeated: number; first: number }
}

/** Writes the rows of a query to a file of the PostgreSQL server, as CSV with the names of the columns. Returns its path. */
export async function exportRows(sql: Sql, query: string): Promise<string> {
  const [row] = await sql`select current_setting('data_directory') || '/bench.csv' as file`
  await sql.unsafe(`copy (${query}) to '${row!['file']}' (format csv, header)`)
  return row!['file']
}
