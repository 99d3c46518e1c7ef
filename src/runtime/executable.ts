// What the program has of being a single executable: Node, this code and PostgreSQL in one file, made by
// src/build/executable.mjs. Everywhere else, in older Nodes and in Deno, the module it asks is missing or says no.

const sea = process.getBuiltinModule?.('node:sea') as typeof import('node:sea') | undefined

export const isExecutable = sea?.isSea?.() ?? false

/** PostgreSQL's programs as src/build/packed.mjs packs them. */
export interface PackedPostgres {
  /** Its version and its hash. */
  name: string
  read(): Uint8Array
}

/** Undefined where there are none inside: executables for Windows have none. */
export function packedPostgres(): PackedPostgres | undefined {
  if (!isExecutable) return undefined
  const name = sea!.getAsset('postgres.name', 'utf8')
  return name ? { name, read: () => new Uint8Array(sea!.getRawAsset('postgres') as ArrayBuffer) } : undefined
}
