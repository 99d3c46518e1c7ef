// What a failed statement means: the database cannot serve now, or something is wrong with the statement.

import postgres from 'postgres'

/** The database is away, starting, full, read-only, overloaded or too slow: the same request may work later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

// Classes and codes of PostgreSQL that speak of the server's state and not of the statement.
const passing = [
  /^08/, // connection
  /^25006/, // read-only
  /^25P03/, // we were too slow to end a transaction
  /^28/, // authorization: the role was changed under us
  /^3D000/, // no such database
  /^40/, // rolled back: serialization, deadlock
  /^53/, // resources: connections, disk, memory
  /^55P03/, // lock not available in time
  /^57/, // operator: cancelled by a timeout, shutting down, starting up
  /^58/, // system: I/O
]

/** What PostgreSQL itself answered, if it did. */
export function serverError(error: unknown): postgres.PostgresError | undefined {
  const source = error instanceof DatabaseUnavailable ? error.cause : error
  return source instanceof postgres.PostgresError ? source : undefined
}

/** Whether PostgreSQL has chosen this transaction to give way to another: of a deadlock, or where no order serves both. */
export function isRetryableConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(serverError(error)?.code ?? '')
}

/** Whether the role may not do this. */
export function isPermissionDenied(error: unknown): boolean {
  return serverError(error)?.code === '42501'
}

/** Whether it was a pooler that answered, to what only a server's own connection knows. */
export function isPoolerError(error: unknown): boolean {
  const server = serverError(error)
  return server?.code === '08P01' && server.message.startsWith('unsupported startup parameter')
}

/** Whether it has waited for a lock for as long as a statement may. */
export function isLockTimeout(error: unknown): boolean {
  return serverError(error)?.code === '55P03'
}

/** Whether the connection may be used again after this error. */
export function connectionSurvives(error: unknown): boolean {
  return serverError(error)?.severity === 'ERROR'
}

export function asDatabaseError(error: unknown): unknown {
  const server = serverError(error)
  if (server) {
    // What ends the connection is no fault of a statement, whatever it is called: a full disk has the code of an internal error.
    const isOfStatement = server.severity === 'ERROR' && !passing.some((code) => code.test(server.code))
    if (isOfStatement) return error
    return new DatabaseUnavailable(`PostgreSQL answered ${server.code}`, { cause: error })
  }
  // Of the driver's own codes these two are mistakes of ours; the others, like those of the system, are lost connections.
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined || code === 'UNDEFINED_VALUE' || code === 'MAX_PARAMETERS_EXCEEDED') return error
  return new DatabaseUnavailable(code, { cause: error })
}
