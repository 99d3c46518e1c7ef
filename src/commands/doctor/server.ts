// Checks PostgreSQL's version, settings and limits.

import { divideSettings, type Config } from '../../config/config.ts'
import type { Session } from '../../db/pool/connection.ts'
import { freshnessConnections } from '../../db/database.ts'
import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import { fault, ok, warning, type Outcome } from './finding.ts'
import clockSql from '../../../sql/doctor/clock.sql'
import serverSql from '../../../sql/doctor/server.sql'
import sessionSql from '../../../sql/doctor/session.sql'

export interface Server {
  version: string
  /** 150003 for 15.3. */
  number: number
  database: string
  encoding: string
  foldsCase: boolean
  sizeBytes: string
  isStandby: boolean
  isReadOnly: boolean
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  autovacuum: string
  idleSessionTimeoutMs: number
  connectionLimit: number
  otherConnections: number
  role: string
  isSuperuser: boolean
}

const findServer = query<Server>(serverSql)
const findClock = query<{ nowMs: number }>(clockSql)
const findSession = query<{ planCacheMode: string; statementTimeoutMs: number }>(sessionSql)

const minMajor = 14
const maxKnownMajor = 18

export async function readServer(session: Session): Promise<Server> {
  const [server] = await findServer(session, {})
  return server!
}

export function checkVersion({ version, number, database }: Pick<Server, 'version' | 'number' | 'database'>): Outcome {
  const major = Math.floor(number / 10_000)
  const text = `PostgreSQL ${version}, database ${database}`
  if (major < minMajor) return fault(text, `Workgate needs PostgreSQL ${minMajor} or later.`)
  if (major <= maxKnownMajor) return ok(text)
  return warning(
    text,
    `This version of Workgate supports PostgreSQL up to ${maxKnownMajor}: check for a newer version of Workgate.`,
  )
}

export function checkText({ encoding, foldsCase }: Server): Outcome {
  const advice =
    'Create a database with encoding UTF8 and a locale such as C.UTF-8, and move the data with pg_dump and pg_restore.'
  if (encoding !== 'UTF8') return fault(`The encoding is ${encoding}: characters outside it cannot be stored.`, advice)
  if (foldsCase) return ok('The encoding is UTF8, and the locale maps the case of non-ASCII letters')
  return warning(
    'The locale maps the case of ASCII letters only, so search and sorting are case-sensitive for other letters.',
    advice,
  )
}

export function checkWrites({ isStandby, isReadOnly }: Server): Outcome {
  if (isStandby) {
    return fault(
      'This server is a standby, which accepts no writes.',
      'Set DATABASE_URL to the primary; it may list several hosts.',
    )
  }
  if (isReadOnly)
    return fault(
      'Transactions are read-only.',
      'Reset default_transaction_read_only for the server, the database and the role.',
    )
  return ok('The database accepts writes')
}

export function checkDurability(server: Server): Outcome {
  const off = server.fsync === 'off' ? 'fsync' : server.fullPageWrites === 'off' ? 'full_page_writes' : undefined
  if (off) return fault(`${off} is off: a crash of the machine can corrupt the database.`, `Set ${off} = on.`)
  if (server.synchronousCommit === 'off') {
    const advice = 'Set synchronous_commit = on, unless losing the last second of writes is acceptable.'
    return warning('synchronous_commit is off: a crash can lose acknowledged writes.', advice)
  }
  return ok('Acknowledged writes survive a crash')
}

export function checkUpkeep({ autovacuum, idleSessionTimeoutMs }: Server): Outcome {
  if (autovacuum === 'off') {
    return warning('autovacuum is off: tables grow, and query plans degrade.', 'Set autovacuum = on.')
  }
  if (idleSessionTimeoutMs > 0) {
    const advice = 'Set idle_session_timeout = 0 for the role of the service.'
    return warning('idle_session_timeout closes connections that the service keeps open.', advice)
  }
  return ok('autovacuum is on, and idle connections stay open')
}

/** `connectionLimit` excludes the connections that PostgreSQL reserves for superusers. */
export function checkConnections({ connectionLimit, otherConnections }: Server, config: Config): Outcome {
  const workers = Array.from({ length: config.WORKERS }, (_, index) => divideSettings(config, index + 1))
  // One more for migrations and commands.
  const needed = 1 + workers.reduce((sum, { DATABASE_POOL }) => sum + DATABASE_POOL + freshnessConnections, 0)
  const text = `The service opens up to ${needed} connections; the limit is ${connectionLimit}, and others use ${otherConnections} now`
  const advice = 'Raise max_connections (or the limit of the role or the database), or lower DATABASE_POOL.'
  if (needed > connectionLimit) return fault(`${text}.`, advice)
  if (needed > connectionLimit - otherConnections) return warning(`${text}.`, advice)
  return ok(text)
}

const maxClockDifferenceMs = 2_000

export async function checkClock(session: Session): Promise<Outcome> {
  const before = Date.now()
  const [row] = await findClock(session, {})
  const after = Date.now()
  // The database read its clock at some time between these two.
  const aheadMs = row!.nowMs < before ? row!.nowMs - before : Math.max(0, row!.nowMs - after)
  if (Math.abs(aheadMs) <= maxClockDifferenceMs) return ok('The clocks of the database and this machine agree')
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
  const finding = `The database's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`
  return warning(
    finding,
    "Synchronize both with NTP: key expiry uses the database's clock, and rate limit headers use this machine's.",
  )
}

/** Runs on a connection of the pool, because a connection pooler may have dropped its settings. */
export async function checkSession(db: Runner, { STATEMENT_TIMEOUT_MS }: Config): Promise<Outcome> {
  const [row] = await findSession(db, {})
  const { planCacheMode, statementTimeoutMs } = row!
  const differences = [
    planCacheMode !== 'force_custom_plan' && `plan_cache_mode is ${planCacheMode} instead of force_custom_plan`,
    statementTimeoutMs !== STATEMENT_TIMEOUT_MS && `statement_timeout is ${statementTimeoutMs} ms instead of ${STATEMENT_TIMEOUT_MS} ms`, // prettier-ignore
  ].filter(Boolean)
  if (differences.length === 0) return ok('The settings that the service requests when it connects are in effect')
  const advice =
    'A connection pooler or proxy probably drops them: set DATABASE_POOLER, or connect directly to the server.'
  return warning(`Settings that the service requests are not in effect: ${differences.join(', ')}.`, advice)
}
