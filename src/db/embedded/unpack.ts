// Reads the archive of PostgreSQL's programs in the executable: a compressed tar file of regular files, without
// folders, which src/build/pack-postgres.mjs creates.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'

const blockBytes = 512

export async function decompress(packed: Uint8Array, advance: Advance): Promise<Buffer> {
  const pieces: Buffer[] = []
  const decoder = createBrotliDecompress({ chunkSize: pieceBytes })
  await pipeline(piecesOf(packed, advance), decoder, async (decompressed: AsyncIterable<Buffer>) => {
    for await (const piece of decompressed) pieces.push(piece)
  })
  return Buffer.concat(pieces)
}

/** Unpacks the archive as the current user, without `tar`, which minimal containers lack. */
export async function unpack(archive: Buffer, folder: string, advance: Advance): Promise<void> {
  const field = (at: number, length: number) => archive.toString('utf8', at, at + length).replace(/\0.*/s, '')
  for (let at = 0; archive[at];) {
    const file = join(folder, field(at, 100))
    const mode = parseInt(field(at + 100, 8), 8)
    const size = parseInt(field(at + 124, 12), 8)
    const start = at + blockBytes
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, archive.subarray(start, start + size), { mode })
    const next = start + Math.ceil(size / blockBytes) * blockBytes
    advance(next - at)
    at = next
  }
}

/** Reports a piece of bytes, to show the progress. */
export type Advance = (bytes: number) => void

const pieceBytes = 1024 * 1024

/** A piece counts when the next one is requested. */
export function* piecesOf(bytes: Uint8Array, advance: Advance): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes)
    yield piece
    advance(piece.length)
  }
}

export async function* countPieces(pieces: AsyncIterable<Uint8Array>, advance: Advance): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    advance(piece.length)
  }
}
