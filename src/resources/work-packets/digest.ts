// Computes the digest of a packet: SHA-256 over its canonical JSON (RFC 8785). The guide to verification shows the same
// computation for clients.

import { createHash } from 'node:crypto'

export function digestOf(packet: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(packet)).digest('hex')}`
}

/**
 * Takes a value from JSON.parse. Names are sorted by UTF-16 code units; numbers and strings are serialized as in
 * ECMAScript. Numbers are exact: constraints keep stored numbers below 2^53, and sums of time would need 28,000 entries
 * of 10,000 years each to get there.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
