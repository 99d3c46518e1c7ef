// Describes an error for the person who started the program, without secrets and without a stack.

import { getSystemErrorMap } from 'node:util'
import { DatabaseUnavailable, isPoolerError, isPermissionDenied, serverError } from '../db/errors.ts'

export function describeError(error: unknown): string {
  const server = serverError(error)
  if (server) return `the database refused: ${server.message} (${server.code})${findHint(error)}`
  if (error instanceof DatabaseUnavailable) return `the database cannot be reached: ${connectionProblem(error)}`
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const message = withErrnoText(error)
  return cause instanceof Error ? `${message}: ${describeError(cause)}` : message
}

/** Includes the address if the system error names one; after several attempts it does not. */
function connectionProblem({ message, cause }: DatabaseUnavailable): string {
  return (cause instanceof Error && withErrnoText(cause)) || message
}

function findHint(error: unknown): string {
  if (isPoolerError(error)) return '; DATABASE_URL leads to a pooler: set DATABASE_POOLER=transaction'
  if (!isPermissionDenied(error)) return ''
  return '; the service needs what "workgate grants" gives, other commands the owner of schema workgate'
}

/** Adds the meaning of the code: in a worker, Node only reports "bind EADDRINUSE" and the address. */
function withErrnoText({ message, code, errno }: NodeJS.ErrnoException): string {
  const [, meaning] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return meaning ? message.replace(`${code} `, `${code}: ${meaning} `) : message
}
