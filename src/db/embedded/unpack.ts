// Unpacks PostgreSQL's programs from the executable. The compressed data is one line of JSON that lists the files,
// followed by their bytes in that order. src/build/pack-postgres.mjs packs them.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

interface PackedFile {
  path: string
  mode: number
  size: number
}

export async function unpack(packed: Uint8Array, folder: string): Promise<void> {
  const bytes = await promisify(brotliDecompress)(packed)
  const newline = bytes.indexOf('\n')
  const files: PackedFile[] = JSON.parse(bytes.toString('utf8', 0, newline))
  let start = newline + 1
  for (const { path, mode, size } of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes.subarray(start, start + size), { mode })
    start += size
  }
}
