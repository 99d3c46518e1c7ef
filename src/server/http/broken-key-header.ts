// Finds out whether a request is malformed because its API key contains a line break or another control character. Node's
// parser refuses such a request before the app sees its headers.

import { controlCharacter } from '../../api/access/key-text.ts'

/** An error of Node's parser. */
export interface ParseError extends NodeJS.ErrnoException {
  /** The received bytes in which the error is. */
  rawPacket?: Buffer
  /** How many of them are valid. */
  bytesParsed?: number
}

/** The last line of the valid bytes, if it begins with a header that contains a key. */
const lastLine = /(?:^|\n)(authorization|x-api-key):[^\n]*$/i
/** The same, followed by the beginning of another line. */
const lineBefore = /(?:^|\n)(authorization|x-api-key):[^\n]*\n([^\n:]*)$/i
const names: Record<string, string> = { authorization: 'Authorization', 'x-api-key': 'X-API-Key' }

/** Returns the name of the header. Knows only the last received bytes, so a key in several packets may not be found. */
export function findBrokenKeyHeader({ rawPacket, bytesParsed }: ParseError): string | undefined {
  if (!rawPacket || bytesParsed === undefined) return undefined
  const valid = rawPacket.toString('latin1', 0, bytesParsed)
  const next = rawPacket.toString('latin1', bytesParsed, bytesParsed + 1)
  const name = nameInLastLine(valid, next) ?? nameInLineBefore(valid, next)
  return name && names[name.toLowerCase()]
}

/** The character that is not allowed is the next one, or the carriage return before it. */
function nameInLastLine(valid: string, next: string): string | undefined {
  return controlCharacter.test(valid.slice(-1) + next) ? lastLine.exec(valid)?.[1] : undefined
}

/** A line that begins with a space, or that ends without a colon, is the rest of the line before it. */
function nameInLineBefore(valid: string, next: string): string | undefined {
  const [, name, rest] = lineBefore.exec(valid) ?? []
  const isRest = rest === '' ? /[ \t]/.test(next) : /[\r\n]/.test(next)
  return isRest ? name : undefined
}
