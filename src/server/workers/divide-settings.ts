// What a setting says of the whole service, divided between its workers.

import type { Config } from '../../config/config.ts'

/** The share of one of them, counted from 1. */
export function divideSettings(config: Config, worker: number): Config {
  const { WORKERS, DATABASE_POOL, CACHE_MB, MAX_CONNECTIONS, MAX_WAITERS } = config
  const part = (whole: number) => Math.floor(whole / WORKERS) + Number(worker <= whole % WORKERS)
  return {
    ...config,
    // One is not enough: a statement that takes long would hold up all others.
    DATABASE_POOL: Math.max(2, part(DATABASE_POOL)),
    CACHE_MB: CACHE_MB / WORKERS,
    MAX_CONNECTIONS: Math.max(1, part(MAX_CONNECTIONS)),
    MAX_WAITERS: Math.max(Math.min(1, MAX_WAITERS), part(MAX_WAITERS)),
  }
}
