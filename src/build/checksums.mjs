// Writes the checksums of files next to them, in the format of `sha256sum -c`.

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function writeChecksums(folder, names) {
  const lines = names.sort().map((name) => `${checksum(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

function checksum(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
