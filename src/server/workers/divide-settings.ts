// Divides the limits of the whole service among its workers.

import type { Config } from '../../config/config.ts'

/** Returns the settings of one worker; workers are numbered from 1. */
export function divideSettings(config: Config, worker: number): Config {
  const { WORKERS, DATABASE_POOL, CACHE_MB, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, MAX_WAITERS } = config
  const shareOf = (total: number) => Math.floor(total / WORKERS) + Number(worker <= total % WORKERS)
  return {
    ...config,
    // With one connection, a slow statement would block all others.
    DATABASE_POOL: Math.max(2, shareOf(DATABASE_POOL)),
    CACHE_MB: CACHE_MB / WORKERS,
    MAX_CONNECTIONS: Math.max(1, shareOf(MAX_CONNECTIONS)),
    MAX_CONNECTIONS_PER_ADDRESS: Math.max(
      Math.min(1, MAX_CONNECTIONS_PER_ADDRESS),
      shareOf(MAX_CONNECTIONS_PER_ADDRESS),
    ),
    MAX_WAITERS: Math.max(Math.min(1, MAX_WAITERS), shareOf(MAX_WAITERS)),
  }
}
