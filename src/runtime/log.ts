// Writes the service's log: one JSON object per line.

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof levels)[number]
export const logLevels: readonly LogLevel[] = levels

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: Fields) => void> & {
  /** Returns whether lines of this level are written. */
  writes(level: LogLevel): boolean
}

type Fields = Record<string, unknown>

/** `commonFields` are part of every line. */
export function createLog(level: LogLevel, write: (line: string) => void, commonFields: Fields = {}): Log {
  const writes = (name: LogLevel) => levels.indexOf(name) >= levels.indexOf(level)
  const logAt =
    (name: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (!writes(name)) return
      write(JSON.stringify({ time: new Date().toISOString(), level: name, message, ...commonFields, ...fields }) + '\n')
    }
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error'), writes }
}
