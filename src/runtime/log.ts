// Writes the service's log: one JSON object per line for programs, or text for people.

import { createTextFormat, type FormatLine } from './text-lines.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

type LogLevel = (typeof logLevels)[number]

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: Fields) => void> & {
  /** Returns whether lines of this level are written. */
  writes(level: LogLevel): boolean
}

type Fields = Record<string, unknown>

export type LogStyle = 'json' | 'text' | 'colored text'

/** `commonFields` are part of every line. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  commonFields: Fields = {},
  style: LogStyle = 'json',
): Log {
  const writes = (name: LogLevel) => logLevels.indexOf(name) >= logLevels.indexOf(level)
  const format =
    style === 'json' ? createJsonFormat(commonFields) : createTextFormat(style === 'colored text', commonFields)
  const logAt = (name: LogLevel) => {
    const isWritten = writes(name)
    return (message: string, fields: Fields = {}) => {
      if (isWritten) write(format(name, message, fields))
    }
  }
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error'), writes }
}

function createJsonFormat(commonFields: Fields): FormatLine {
  const common = toMembers(commonFields)
  return (level, message, fields) => {
    const start = `{"time":"${currentTime()}","level":"${level}","message":${quote(message)}`
    return `${start}${common}${toMembers(fields)}}\n`
  }
}

let time = ''
let timeMs = 0

/** Formatted once for all lines of a millisecond, since that takes longer than the rest of a line. */
function currentTime(): string {
  const now = Date.now()
  if (now !== timeMs) {
    timeMs = now
    time = new Date(now).toISOString()
  }
  return time
}

/** The members of a JSON object, each after a comma. JSON.stringify would take three times as long. */
function toMembers(fields: Fields): string {
  let members = ''
  for (const name in fields) {
    const value = fields[name]
    const json = typeof value === 'string' ? quote(value) : JSON.stringify(value)
    if (json !== undefined) members += `,"${name}":${json}`
  }
  return members
}

const plainText = /^[ !#-[\]-~]*$/
const quote = (text: string) => (plainText.test(text) ? `"${text}"` : JSON.stringify(text))
