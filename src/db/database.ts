// A pool of connections, each used by one statement at a time.
//
// The driver's own pool is not used: it sends statements down connections that are busy, so a slow one holds up those
// behind it; it has no bound on what waits; and a connection that breaks during a write can stay broken
// (porsager/postgres #1154). Here each connection is a driver of its own, thrown away at the first doubt.

import { isPooled, openConnection, type Connection, type Parameter, type Session, type Target } from './connection.ts'
import { connectionSurvives, DatabaseUnavailable, gaveWay } from './errors.ts'
import { openPooled } from './pooled.ts'

export interface Runner {
  run<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>
}

export interface PoolCounts {
  readonly most: number
  readonly open: number
  readonly inUse: number
  readonly waiting: number
}

export interface Database extends Runner {
  /** For small statements that every request needs and none may wait for: connections of their own, plans that are kept. */
  quick: Runner
  /** How many connections there are, how many are in use, and who waits for one. */
  readonly pools: Record<'statements' | 'checks', PoolCounts>
  /** Without limits of time. Through a pooler it holds together no more than each of its transactions. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const waitForConnectionMs = 3_000
const waitersPerConnection = 50
const mostRuns = 5
// PostgreSQL ends a statement that takes too long. This is for one that cannot answer at all.
const silenceMs = 2_000

interface Options {
  target: Target
  poolSize: number
  statementTimeoutMs: number
}

export const quickConnections = 2

export function openDatabase(options: Options): Database {
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

/** Whether a statement is planned for its parameters each time, and how plans are made. */
const planning = (plans: 'force_custom_plan' | 'force_generic_plan') => ({
  // Where it is not forced, a filter may run on a plan made for another filter; see "plans" in test/sql.
  plan_cache_mode: plans,
  jit: 'off',
  // To start workers takes longer than a statement of ours may take.
  max_parallel_workers_per_gather: '0',
})

function openPool({ target, poolSize, statementTimeoutMs }: Options, plans: Parameters<typeof planning>[0]) {
  const settings = { statement_timeout: statementTimeoutMs, ...planning(plans) }
  const connect = isPooled(target) ? openPooled : openConnection
  const open = new Set<Connection>()
  const idle: Connection[] = []
  const waiting = new Set<(connection?: Connection) => void>()
  let closed = false

  async function take(): Promise<Connection> {
    if (closed) throw new DatabaseUnavailable('the pool is closed')
    const ready = idle.pop()
    if (ready) return ready
    if (open.size < poolSize) return openAnother()
    if (waiting.size >= poolSize * waitersPerConnection) throw new DatabaseUnavailable('too many statements wait')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resume(), waitForConnectionMs)
      const resume = (connection?: Connection) => {
        waiting.delete(resume)
        clearTimeout(timer)
        if (connection) resolve(connection)
        else reject(new DatabaseUnavailable('no connection became free in time'))
      }
      waiting.add(resume)
    })
  }

  function openAnother(): Connection {
    const connection: Connection = connect(target, settings, () => forget(connection))
    open.add(connection)
    return connection
  }

  function forget(connection: Connection) {
    open.delete(connection)
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    const [next] = waiting
    if (next && !closed) next(openAnother())
  }

  function give(connection: Connection) {
    if (!open.has(connection)) return
    const [next] = waiting
    if (next) next(connection)
    else idle.push(connection)
  }

  async function runOnce<Row>(text: string, values: readonly Parameter[]): Promise<Row[]> {
    const connection = await take()
    const silence = setTimeout(connection.lose, statementTimeoutMs + silenceMs, 'the database does not answer')
    try {
      return await connection.run<Row>(text, values)
    } catch (error) {
      if (!connectionSurvives(error)) connection.lose('a statement before this one lost the connection')
      throw error
    } finally {
      clearTimeout(silence)
      give(connection)
    }
  }

  return {
    counts: {
      most: poolSize,
      get open() {
        return open.size
      },
      get inUse() {
        return open.size - idle.length
      },
      get waiting() {
        return waiting.size
      },
    },

    // A statement is a transaction: of one that gave way to another nothing is left, and the next run comes after the other.
    async run<Row>(text: string, values: readonly Parameter[] = []) {
      for (let runs = 1; ; runs++) {
        try {
          return await runOnce<Row>(text, values)
        } catch (error) {
          if (runs === mostRuns || !gaveWay(error)) throw error
        }
      }
    },

    async close() {
      closed = true
      for (const resume of waiting) resume()
      await Promise.all([...open].map((connection) => connection.end(1)))
    },
  }
}
