// One JSON object a line. Every line of the service's output is made here.

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof levels)[number]
export const logLevels: readonly LogLevel[] = levels

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: Fields) => void> & {
  /** Whether lines of this level are written. */
  writes(level: LogLevel): boolean
}

type Fields = Record<string, unknown>

/** What is given as always stands in every line. */
export function createLog(level: LogLevel, write: (line: string) => void, always: Fields = {}): Log {
  const writes = (name: LogLevel) => levels.indexOf(name) >= levels.indexOf(level)
  const at =
    (name: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (!writes(name)) return
      write(JSON.stringify({ time: new Date().toISOString(), level: name, message, ...always, ...fields }) + '\n')
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), writes }
}
