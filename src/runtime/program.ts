// Describes this program: its version, and the contents of the single executable, which is Node, this code and PostgreSQL in
// one file, built by src/build/executable.mjs.

import manifest from '../../package.json' with { type: 'json' }

// Missing in older versions of Node. isSea() returns false in Deno and outside of an executable.
const sea = process.getBuiltinModule?.('node:sea') as typeof import('node:sea') | undefined

export const isExecutable = sea?.isSea?.() ?? false

/** PostgreSQL's programs, packed by src/build/pack-postgres.mjs. */
export interface PackedPostgres {
  /** The version and the hash of the package. */
  name: string
  read(): Uint8Array
}

/** Returns undefined outside of an executable, and in executables for Windows, which contain no PostgreSQL. */
export function packedPostgres(): PackedPostgres | undefined {
  if (!isExecutable) return undefined
  const name = sea!.getAsset('postgres.name', 'utf8')
  return name ? { name, read: () => new Uint8Array(sea!.getRawAsset('postgres') as ArrayBuffer) } : undefined
}

/** Defined by build.mjs if it runs in a clone of the repository. */
declare const WORKGATE_COMMIT: string | undefined

export const version: string = manifest.version

/** Ends with -dirty if files differed from the commit. */
export const commit = typeof WORKGATE_COMMIT === 'string' ? WORKGATE_COMMIT : undefined
