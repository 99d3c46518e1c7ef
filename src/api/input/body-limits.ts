// Limits the levels and the values of a body before it is parsed: 256 KiB of brackets or short values would take seconds
// to parse and to validate, during which no other request is served.

import { invalid, type Problem } from '../problems/problem.ts'

const maxLevels = 16
// A new task has at most 82 values: the body, its fields, and the items of its lists.
const maxValues = 500

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Throws if the JSON exceeds a limit, whether or not it is valid. UTF-8 uses these bytes only for these characters. */
export function checkBodyLimits(json: Uint8Array): void {
  let levels = 0
  let values = 1
  let isFirst = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte <= space) continue
    const isOpening = byte === openBracket || byte === openBrace
    if (byte === closeBracket || byte === closeBrace) levels--
    else if (isFirst || byte === comma) values++
    if (isOpening) levels++
    isFirst = isOpening
    if (levels > maxLevels) throw tooMuch(`${maxLevels} levels of arrays and objects`)
    if (values > maxValues) throw tooMuch(`${maxValues} values`)
    if (byte === quote) at = endOfString(json, at)
  }
}

/** Returns the index of the closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

function tooMuch(limit: string): Problem {
  return invalid({ in: 'body', name: 'body', message: `must not have more than ${limit}` })
}
