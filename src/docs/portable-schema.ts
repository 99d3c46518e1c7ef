// Rewrites JSON Schema so that client generators accept it and their clients work. It means the same afterwards, except
// that defaults of arrays are only in the descriptions.

import type { JsonSchema } from '@valibot/to-json-schema'

const [minInt32, maxInt32] = [-2_147_483_648, 2_147_483_647]

export function makePortable<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(makePortable) as Part
  const inside = Object.entries(part).map(([name, member]) => [name, makePortable(member)])
  return rewrite(Object.fromEntries(inside)) as Part
}

function rewrite(schema: JsonSchema): JsonSchema {
  // Java does not compile with a list as the default, and Rust ignores it.
  if (Array.isArray(schema.default)) delete schema.default
  // Without a type, a constant is any value.
  if (typeof schema.const === 'string') return { type: 'string', ...schema }
  // Clients in Go, Java and Rust have 32 bits for an integer without a format.
  if (isLongInteger(schema)) return { ...schema, format: 'int64' }
  return schema
}

function isLongInteger({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  return [type].flat().includes('integer') && (minimum < minInt32 || maximum > maxInt32)
}
