// The environment that each part of the benchmark receives.

import type { Headers } from '../../src/api/responses/response.ts'
import type { Server } from '../support/server.ts'
import type { Sql } from '../support/workgate.ts'
import type { Load } from './bench-load.ts'
import type { Pgbench } from './pgbench.ts'
import type { Service } from './bench-service.ts'

export interface Bench {
  /** A filled database on a server, and its URL. */
  sql: Sql
  url: string
  /** The number of tasks in its large project. */
  taskCount: number
  /** A service on it without the response cache, so each request costs as much as the first. */
  uncached: Service
  /** Contains a key for all projects. */
  headers: Headers
  load: Load
  pgbench: Pgbench
  /** For files of the benchmark. */
  folder: string
  /** How many times each runner is measured, for a second each. */
  rounds: number
  connections: readonly number[]
  memorySeconds: number
  /** The number of tasks in each project whose analytics are measured. */
  sizes: readonly number[]
  /** The number of tasks to load with and without the triggers. */
  loaded: number
  /** The number of issues in the file to import. */
  imported: number
  /** The database server, and the folder of its programs. */
  server: Server
  postgres: string
  /** The program of Vikunja. */
  vikunja: string | undefined
}

/** Measures, and prints the results. */
export type Part = (bench: Bench) => Promise<void>
