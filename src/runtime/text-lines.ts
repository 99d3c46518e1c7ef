// Formats log lines for people at a terminal. Everything that may come from a client is escaped, so that it cannot
// control the terminal.

type Fields = Readonly<Record<string, unknown>>

export type FormatLine = (level: string, message: string, fields: Fields) => string

/** Formats a request as one short line, and other events as `event name=value`. */
export function createTextFormat(hasColor: boolean, commonFields: Fields): FormatLine {
  const paint = createPaint(hasColor)
  return (level, message, fields) => {
    const { cause, ...others } = { ...commonFields, ...fields }
    const { line, details } = message === 'request' ? formatRequest(others, paint) : formatEvent(message, others, paint)
    const causes = cause === undefined ? [] : [`cause: ${describe(cause)}`]
    const start = [paint('dim', localTime()), ...(level === 'info' ? [] : [paint(levelColor(level), level)]), line]
    return [start.join(' '), ...[...details, ...causes].map(indent)].join('\n') + '\n'
  }
}

const colors = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }
type Paint = (color: keyof typeof colors, text: string) => string

export function createPaint(hasColor: boolean): Paint {
  return (color, text) => (hasColor ? `\x1b[${colors[color]}m${text}\x1b[0m` : text)
}

const levelColor = (level: string) => (level === 'error' ? 'red' : level === 'warn' ? 'yellow' : 'dim')

const statusColor = (status: number) =>
  status >= 500 ? 'red' : status >= 400 ? 'yellow' : status >= 300 ? 'cyan' : 'green'

function formatRequest(fields: Fields, paint: Paint) {
  const { method, path, status, ms, keyName, requestId } = fields
  const words = [
    `${method} ${path}`,
    paint(statusColor(Number(status)), String(status)),
    paint('dim', `${Number(ms) < 100 ? ms : Math.round(Number(ms))} ms`),
    ...(keyName === undefined ? [] : [paint('cyan', escapeText(String(keyName)))]),
  ]
  // The client gets the same id in its error.
  return {
    line: words.join(' '),
    details: Number(status) >= 500 ? [`requestId: ${escapeText(String(requestId))}`] : [],
  }
}

function formatEvent(message: string, fields: Fields, paint: Paint) {
  const words = [escapeText(message)]
  const details: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    // In quotes, these would be hard to read.
    if (typeof value === 'string' && /[\n"]/.test(value)) details.push(`${name}: ${value}`)
    else if (value !== undefined) words.push(paint('dim', `${name}=`) + formatValue(value))
  }
  return { line: words.join(' '), details: details.map(escapeLines) }
}

function formatValue(value: unknown): string {
  if (typeof value !== 'string') return escapeText(JSON.stringify(value))
  return /^\S+$/.test(value) ? escapeText(value) : `"${escapeText(value)}"`
}

/** The name and code of an error, and only the first line of a stack. JSON lines contain more of it. */
function describe(cause: unknown): string {
  const { stack, ...others } = cause as { stack?: string[] }
  return [...Object.values(others), ...(stack ?? []).slice(0, 1)].map((value) => escapeText(String(value))).join(' ')
}

const indent = (text: string) => `         ${text.replaceAll('\n', '\n           ')}`

function localTime(): string {
  const now = new Date()
  return [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/**
 * Names may contain characters that control a terminal or change the direction of the writing. The escapes are those of
 * JSON, so that JSON stays valid.
 */
export const escapeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Keeps line breaks. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n')
