// What the parts of the bench work with.

import type { Headers } from '../../src/api/responses/response.ts'
import type { Sql } from '../support/workgate.ts'
import type { Load } from './bench-load.ts'
import type { Pgbench } from './pgbench.ts'
import type { Service } from './bench-service.ts'

export interface Bench {
  /** A database on a server, filled, and its address. */
  sql: Sql
  url: string
  /** How many tasks its large project has. */
  taskCount: number
  /** A service on it that remembers no answer, so that each request costs what the first one does. */
  uncached: Service
  /** With a key for everything. */
  headers: Headers
  load: Load
  pgbench: Pgbench
  /** For files of the bench. */
  folder: string
  /** How often each is measured, for a second. */
  rounds: number
  connections: readonly number[]
  memorySeconds: number
  /** Tasks of the projects that analytics are asked about. */
  sizes: readonly number[]
  /** How many tasks are loaded with the triggers and without. */
  loaded: number
}

/** Measures, and prints what came of it. */
export type Part = (bench: Bench) => Promise<void>
