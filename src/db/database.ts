// The database as the service uses it: a pool for what requests ask, one for what all of them need, and sessions of their own.

import { openConnection, type Session } from './connection.ts'
import { openPool, planning, type PoolCounts, type PoolOptions, type Runner } from './pool.ts'

export interface Database extends Runner {
  /** For small statements that every request needs and none may wait for: connections of their own, plans that are kept. */
  quick: Runner
  /** How many connections there are, how many are in use, and who waits for one. */
  readonly pools: Record<'statements' | 'checks', PoolCounts>
  /** Without limits of time. Through a pooler it holds together no more than each of its transactions. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export const quickConnections = 2

export function openDatabase(options: PoolOptions): Database {
  const pool = openPool(options, 'force_custom_plan')
  const quick = openPool({ ...options, poolSize: quickConnections }, 'force_generic_plan')
  return {
    run: pool.run,
    quick,
    pools: { statements: pool.counts, checks: quick.counts },

    async session(work) {
      const connection = openConnection(options.target, planning('force_custom_plan'), () => {})
      try {
        return await work(connection)
      } finally {
        await connection.end(1)
      }
    },

    async close() {
      await Promise.all([pool.close(), quick.close()])
    },
  }
}
