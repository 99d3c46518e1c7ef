// Reads the contents of the single executable: Node, this code and PostgreSQL in one file, built by
// src/build/executable.mjs. Outside of it, in older versions of Node and in Deno, `node:sea` is missing or isSea() returns
// false.

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
