// Classifies database errors: the database is temporarily unavailable, or the statement is wrong.

import postgres from 'postgres'

/** The database is unreachable, starting, full, read-only, overloaded or too slow. A retry may succeed. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The statement was refused, because too many others are running and waiting. */
export class Overloaded extends DatabaseUnavailable {}

/** A standby has not replayed yet, or could not say in time, what the statement has to see. */
export class StandbyBehind extends Error {
  override name = 'StandbyBehind'
}

// PostgreSQL error codes that describe the state of the server, not the statement.
const temporaryCodes = [
  /^08/, // connection
  /^25006/, // read-only
  /^25P03/, // idle in a transaction for too long
  /^28/, // authorization: the role was changed while the service was connected
  /^3D000/, // no such database
  /^40/, // rolled back: serialization, deadlock
  /^53/, // resources: connections, disk, memory
  /^55P03/, // lock not available in time
  /^57/, // operator: cancelled by a timeout, shutting down, starting up
  /^58/, // system: I/O
]

/** Returns the error that PostgreSQL sent, if it sent one. */
export function serverError(error: unknown): postgres.PostgresError | undefined {
  const source = error instanceof DatabaseUnavailable ? error.cause : error
  return source instanceof postgres.PostgresError ? source : undefined
}

/**
 * True if the transaction was rolled back because of a deadlock or a serialization failure, or because a node of Citus had
 * closed a connection that another node kept.
 */
export function isRetryable(error: unknown): boolean {
  const server = serverError(error)
  return ['40001', '40P01'].includes(server?.code ?? '') || isLostNode(server)
}

/** Citus reports it as an internal error. */
const isLostNode = (error: postgres.PostgresError | undefined) => error?.routine === 'MarkRemoteTransactionFailed'

export const isPermissionDenied = (error: unknown) => serverError(error)?.code === '42501'

/** True if a pooler refused a startup parameter that PostgreSQL accepts. */
export function isPoolerError(error: unknown): boolean {
  const server = serverError(error)
  return server?.code === '08P01' && server.message.startsWith('unsupported startup parameter')
}

export const isLockTimeout = (error: unknown) => serverError(error)?.code === '55P03'

export const isConnectionUsable = (error: unknown) =>
  error instanceof StandbyBehind || serverError(error)?.severity === 'ERROR'

/** True if the statement would also fail on another server, at least for lack of time or room. */
export const isSpent = (error: unknown) => error instanceof Overloaded || serverError(error)?.code === '57014'

export function toDatabaseError(error: unknown): unknown {
  const server = serverError(error)
  if (server) {
    // An error that ends the connection is not caused by the statement, whatever its code: PostgreSQL reports a full
    // disk as an internal error.
    const isTemporary = temporaryCodes.some((code) => code.test(server.code)) || isLostNode(server)
    const isStatementError = server.severity === 'ERROR' && !isTemporary
    if (isStatementError) return error
    return new DatabaseUnavailable(`PostgreSQL returned ${server.code}`, { cause: error })
  }
  // These two driver codes indicate bugs in Workgate. The driver's other codes, and system error codes, mean that the
  // connection was lost.
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined || code === 'UNDEFINED_VALUE' || code === 'MAX_PARAMETERS_EXCEEDED') return error
  return new DatabaseUnavailable(code, { cause: error })
}

/** For the log, without the message: PostgreSQL's messages quote data. */
export function describeCause(error: unknown) {
  const server = serverError(error)
  if (server) return { name: 'PostgresError', code: server.code, routine: server.routine }
  if (error instanceof DatabaseUnavailable) return { name: error.name, code: error.message }
  if (!(error instanceof Error)) return { name: typeof error }
  // The stack begins with the message, which may contain a line like those of the stack.
  const frames = (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
  return { name: error.name, stack: frames.slice(0, 8).map((line) => line.trim()) }
}
