// What the first process and its workers tell each other. No API key is ever in it: those of the environment go by their
// hashes, as EnvironmentKeys prints itself.

import { readEnvironmentKeys } from '../../api/access/environment-keys.ts'
import type { Buckets } from '../../api/access/rate-limit.ts'
import type { Config } from '../../config/config.ts'
import type { Target } from '../../db/connection.ts'
import type { Certificate } from '../../config/certificate.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'

/** All that a worker begins with. The first process has read it once, so that all have the same, also later ones. */
export interface Start {
  /** From 1 on; one that takes the place of another has its number. */
  worker: number
  config: Config
  target: Target
}

/** A token of a bucket. */
export type Want = [of: keyof Buckets, name: string, perMinute: number]

export type FromWorker =
  | { is: 'ready' }
  | { is: 'listening'; url: string }
  | { is: 'failed'; problem: string }
  | { is: 'wants'; wants: Want[] }
  | { is: 'counted'; metrics: readonly Metric[] }

export type ToWorker =
  | ({ is: 'start' } & Start)
  /** How many tokens were there before, for each that was wanted. */
  | { is: 'tokens'; before: number[] }
  /** Asks what it has counted. */
  | { is: 'count' }
  | { is: 'renew'; certificate: Certificate }
  | { is: 'drain' }
  | { is: 'stop' }

/** What came of a Start on its way as JSON. */
export function received({ worker, config, target }: Start): Start {
  return { worker, target, config: { ...config, API_KEYS: readEnvironmentKeys(JSON.stringify(config.API_KEYS)).keys } }
}
