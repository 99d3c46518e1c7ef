// An error for the person who started the program: what is wrong, without secrets and without a stack.

import { DatabaseUnavailable, serverError } from './db/errors.ts'

export function explain(error: unknown): string {
  const server = serverError(error)
  if (server) return `the database refused: ${server.message} (${server.code})`
  if (error instanceof DatabaseUnavailable) return `the database cannot be reached: ${error.message}`
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${explain(cause)}` : error.message
}
