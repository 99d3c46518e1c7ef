// Describes an error for the log, without its message: PostgreSQL's messages quote data.

import { DatabaseUnavailable, serverError } from './errors.ts'

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
