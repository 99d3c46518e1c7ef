// Reads the archive of PostgreSQL's programs in the executable: a compressed tar file of regular files, without
// folders, which src/build/pack-postgres.mjs creates.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const blockBytes = 512

export const decompress = promisify<Uint8Array, Buffer>(brotliDecompress)

/** Unpacks the archive as the current user, without `tar`, which minimal containers lack. */
export async function unpack(archive: Buffer, folder: string): Promise<void> {
  const field = (at: number, length: number) => archive.toString('utf8', at, at + length).replace(/\0.*/s, '')
  for (let at = 0; archive[at];) {
    const file = join(folder, field(at, 100))
    const mode = parseInt(field(at + 100, 8), 8)
    const size = parseInt(field(at + 124, 12), 8)
    const start = at + blockBytes
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, archive.subarray(start, start + size), { mode })
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
}
