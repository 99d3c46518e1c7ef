// The messages between the primary process and its workers. They never contain an API key: keys from the environment are
// sent as hashes, see EnvironmentKeys.toJSON.

import { readEnvironmentKeys } from '../../config/environment-keys.ts'
import type { Buckets, TokenCount } from '../../api/access/rate-limit.ts'
import type { Config } from '../../config/config.ts'
import type { Target } from '../../db/pool/connection.ts'
import type { Certificate } from '../../config/certificate.ts'
import type { LogStyle } from '../../runtime/log.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'

/**
 * The options of a new worker. The primary reads the config once, so that workers that start later get the same values.
 */
export interface WorkerOptions {
  /** Numbered from 1; a replacement gets the number of the worker it replaces. */
  worker: number
  config: Config
  target: Target
  /** Its output is a pipe to the primary, which knows whether the log is written to a terminal. */
  logStyle: LogStyle
}

/** A request to take a token from a bucket, or to return one. */
export type TokenRequest = [of: keyof Buckets, name: string, perMinute: number, count: TokenCount]

export type FromWorker =
  | { type: 'ready' }
  | { type: 'listening'; url: string }
  | { type: 'failed'; problem: string }
  | { type: 'take tokens'; requests: TokenRequest[] }
  | { type: 'metrics'; metrics: readonly Metric[] }

export type ToWorker =
  | ({ type: 'start' } & WorkerOptions)
  /** For each request, the number of tokens in the bucket before it. */
  | { type: 'tokens'; tokens: number[] }
  | { type: 'collect metrics' }
  | { type: 'replace certificate'; certificate: Certificate }
  | { type: 'drain' }
  | { type: 'stop' }

/** Restores the keys from JSON. */
export function parseWorkerOptions(options: WorkerOptions): WorkerOptions {
  const { config } = options
  return { ...options, config: { ...config, API_KEYS: readEnvironmentKeys(JSON.stringify(config.API_KEYS)).keys } }
}
