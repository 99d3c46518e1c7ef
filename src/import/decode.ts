// Turns the bytes of a file into text. UTF-8 and UTF-16 are recognized, and Windows-1252 if the beginning of the file is
// not UTF-8.

import { InvalidFile } from './invalid.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const sampleBytes = 65_536

/** Yields the text in pieces. `onEncoding` is called with the encoding that was recognized. */
export async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  given: Encoding | undefined,
  onEncoding: (encoding: Encoding) => void,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let encoding: Encoding = 'utf-8'
  let sample = Buffer.alloc(0)
  let lines = 1

  function read(chunk: Uint8Array, isLast: boolean): string {
    let text
    try {
      text = decoder!.decode(chunk, { stream: !isLast })
    } catch {
      throw new InvalidFile(`not ${encoding} after line ${lines}: name its encoding, such as --encoding windows-1252`)
    }
    const nul = text.indexOf('\0')
    const end = nul < 0 ? text.length : nul
    for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++
    if (nul >= 0) throw new InvalidFile(`text with a NUL character in line ${lines}, which cannot be stored`)
    return text
  }

  function begin(): string {
    encoding = given ?? recognize(sample)
    onEncoding(encoding)
    decoder = new TextDecoder(encoding, { fatal: true })
    return read(sample, false)
  }

  for await (const chunk of bytes) {
    if (decoder) {
      yield read(chunk, false)
      continue
    }
    sample = Buffer.concat([sample, chunk])
    if (sample.length >= sampleBytes) yield begin()
  }
  if (!decoder) yield begin()
  yield read(new Uint8Array(), true)
}

/** The decoder removes the byte order mark. */
function recognize(sample: Buffer): Encoding {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le'
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be'
  // The files that are read begin with ASCII: in UTF-16, every other byte is zero.
  if (sample.length >= 2 && sample[1] === 0 && sample[0] !== 0) return 'utf-16le'
  if (sample.length >= 2 && sample[0] === 0 && sample[1] !== 0) return 'utf-16be'
  const kind = binaryKind(sample)
  if (kind) throw new InvalidFile(`${kind}, not text`)
  try {
    // As a stream: the sample can end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

const signatures: readonly [kind: string, start: string][] = [
  ['an old Excel workbook, or one with a password (save it as .xlsx or CSV, without a password)', '\xd0\xcf\x11\xe0'],
  ['a gzip archive (unpack it)', '\x1f\x8b'],
  ['a PDF document', '%PDF'],
]

/** Tab, line feed, vertical tab, form feed and carriage return. */
const whiteSpace = [9, 10, 11, 12, 13]

function binaryKind(sample: Buffer): string | undefined {
  const start = sample.subarray(0, 8).toString('latin1')
  const known = signatures.find(([, signature]) => start.startsWith(signature))
  // A program may have written a single zero byte in a text: its line is named later.
  const isBinary = sample.includes(0) && sample.some((byte) => byte > 0 && byte < 32 && !whiteSpace.includes(byte))
  return known?.[0] ?? (isBinary ? 'a binary file' : undefined)
}
