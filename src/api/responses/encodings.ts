// Compresses bodies with the encoding that the client prefers.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

// Clients wait for the compression: quality 4 takes a tenth of the time of the highest quality and produces 10% more
// bytes.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressors: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) => compressBrotli(bytes, brotli),
  gzip: (bytes) => compressGzip(bytes),
}

export async function compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  // The result is a view of a much larger buffer, which can be freed once the result is copied.
  return Uint8Array.from(await compressors[encoding](bytes))
}

/** Undefined means uncompressed, which every client accepts. */
export function chooseEncoding(values: readonly string[] = []): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const [, name, parameters] of values.join(',').matchAll(supported)) {
    weights.set(name!.toLowerCase(), readWeight(parameters!))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  let chosen: Encoding | undefined
  for (const name of ['br', 'gzip'] as const) {
    const weight = weightOf(name)
    if (weight > 0 && weight >= plain && (chosen === undefined || weight > weightOf(chosen))) chosen = name
  }
  return chosen
}

// Skips other encodings: a header can name thousands, which would take milliseconds to split.
const supported = /(?<=^|,)\s*(br|gzip|identity|\*)\s*((?:;[^,]*)?)(?=,|$)/gi

function readWeight(parameters: string): number {
  const quality = parameters.split(';').find((text) => /^\s*q=/i.test(text))
  const [, weight] = /^q=([01](?:\.\d{0,3})?)$/i.exec(quality?.trim() ?? '') ?? []
  return weight === undefined ? 1 : Number(weight)
}
