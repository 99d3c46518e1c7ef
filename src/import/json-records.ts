// Splits JSON text into records without holding the file in memory: the objects of an array, of several arrays in a row or
// nested (pages), or of lines. A parser for whole documents would need the memory for all of them, and streaming parsers
// take several times as long.

import { InvalidFile } from './invalid.ts'

export interface JsonText {
  text: string
  /** The line where the object begins. */
  line: number
}

const maxRecordLength = 256 * 1_048_576

// Within a string, only its end, a backslash and the character after it matter.
const inString = /\\[^]|["\n]/g
const inObject = /["{}\n]/g
const betweenObjects = /[^\s,]|\n/g

export async function* splitJson(texts: AsyncIterable<string>): AsyncGenerator<JsonText> {
  let line = 1
  /** The arrays and objects that have begun and not ended. Objects are within arrays, never around them. */
  let arrays = 0
  let depth = 0
  let isInString = false
  /** The part of the current object that has been read. */
  let record = ''
  let recordLine = 1
  /** A backslash at the end of the chunk. */
  let rest = ''

  for await (const chunk of texts) {
    const text: string = rest + chunk
    let start = 0
    let at = 0
    for (;;) {
      const pattern: RegExp = isInString ? inString : depth > 0 ? inObject : betweenObjects
      pattern.lastIndex = at
      const found: RegExpExecArray | null = pattern.exec(text)
      if (!found) break
      const [sign] = found
      at = pattern.lastIndex
      if (sign === '\n') line++
      else if (isInString) isInString = sign !== '"'
      else if (sign === '"' && depth > 0) isInString = true
      else if (sign === '{') {
        if (depth++ > 0) continue
        start = found.index
        recordLine = line
      } else if (sign === '}' && depth > 0) {
        if (--depth > 0) continue
        yield { text: record + text.slice(start, at), line: recordLine }
        record = ''
      } else if (sign === '[') arrays++
      else if (sign === ']' && arrays > 0) arrays--
      else throw new InvalidFile(`not JSON: "${text.slice(found.index, found.index + 20)}" in line ${line}`)
    }
    // All other backslashes were found together with the character that they escape.
    rest = isInString && at < text.length && text.endsWith('\\') ? '\\' : ''
    if (depth > 0) record += text.slice(start, text.length - rest.length)
    if (record.length > maxRecordLength)
      throw new InvalidFile(`one JSON object of more than ${maxRecordLength} characters`)
  }
  if (depth > 0) throw new InvalidFile(`incomplete: the object in line ${recordLine} does not end`)
  if (arrays > 0) throw new InvalidFile('incomplete: its array does not end')
}
