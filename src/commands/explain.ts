// An error for the person who started the program: what is wrong, without secrets and without a stack.

import { getSystemErrorMap } from 'node:util'
import { DatabaseUnavailable, isPoolerError, isPermissionDenied, serverError } from '../db/errors.ts'

export function explain(error: unknown): string {
  const server = serverError(error)
  if (server) return `the database refused: ${server.message} (${server.code})${hint(error)}`
  if (error instanceof DatabaseUnavailable) return `the database cannot be reached: ${reasonOf(error)}`
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const message = spelledOut(error)
  return cause instanceof Error ? `${message}: ${explain(cause)}` : message
}

/** With the address, where the system names it; of several that were tried it names none. */
function reasonOf({ message, cause }: DatabaseUnavailable): string {
  return (cause instanceof Error && spelledOut(cause)) || message
}

function hint(error: unknown): string {
  if (isPoolerError(error)) return '; DATABASE_URL leads to a pooler: set DATABASE_POOLER=transaction'
  if (!isPermissionDenied(error)) return ''
  return '; the service needs what "workgate grants" gives, other commands the owner of schema workgate'
}

/** A worker that cannot have its port is told no more than "bind EADDRINUSE" and the address. */
function spelledOut({ message, code, errno }: NodeJS.ErrnoException): string {
  const [, meaning] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return meaning ? message.replace(`${code} `, `${code}: ${meaning} `) : message
}
