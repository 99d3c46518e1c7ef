// Decodes the text of a workbook: the bytes of its parts, and the escapes in its strings.

import { InvalidFile } from '../invalid.ts'

export async function* readText(part: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new InvalidFile(`a damaged workbook: ${part} is not UTF-8`)
    }
  }
  for await (const chunk of bytes) yield decode(chunk)
  yield decode()
}

/** Excel writes characters that XML cannot contain as _x000B_, and a text that looks like it with _x005F_ before. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (escape, hex: string) => {
    const code = Number.parseInt(hex, 16)
    // PostgreSQL cannot store them.
    return code === 0 || (code >= 0xd800 && code < 0xe000) ? escape : String.fromCharCode(code)
  })
}
