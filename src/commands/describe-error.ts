// Describes an error for the operator, without secrets and without a stack trace.

import { getSystemErrorMap } from 'node:util'
import { DatabaseUnavailable, isPoolerError, isPermissionDenied, serverError } from '../db/errors.ts'

export function describeError(error: unknown): string {
  const server = serverError(error)
  if (server?.code === projectSynced) return `${server.message}. ${server.hint}`
  if (server) return `database error: ${server.message} (${server.code})${findHint(error)}`
  if (error instanceof DatabaseUnavailable) return `the database cannot be reached: ${describeUnreachable(error)}`
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const message = withErrnoText(error)
  return cause instanceof Error ? `${message}: ${describeError(cause)}` : message
}

const projectSynced = 'WG015'

/** By error code, if Node has no text for it, or an obscure one. */
const reasons: Readonly<Record<string, string>> = {
  CONNECT_TIMEOUT: 'no response',
  CONNECTION_CLOSED: 'the connection was closed',
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
}

export function describeUnreachable({ message: code, cause }: DatabaseUnavailable): string {
  if (!(cause instanceof Error)) return reasons[code] ?? code
  const { errno } = cause as NodeJS.ErrnoException
  const reason = reasons[code] ?? (errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1])
  return reason ? `${reason} (${code})` : cause.message || code
}

function findHint(error: unknown): string {
  if (isPoolerError(error)) return '; DATABASE_URL points at a connection pooler: set DATABASE_POOLER=transaction'
  if (!isPermissionDenied(error)) return ''
  return '; the service needs the privileges that "workgate grants" prints, and other commands must run as the owner of schema workgate'
}

/** Adds the meaning of the code: in a worker, Node only reports "bind EADDRINUSE" and the address. */
function withErrnoText({ message, code, errno }: NodeJS.ErrnoException): string {
  const [, meaning] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return meaning ? message.replace(`${code} `, `${code}: ${meaning} `) : message
}
