// Parses IP addresses, and names the networks to which limits per address apply.

import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns an address in canonical form, without its port, brackets or zone; undefined if the text is not an address.
 * An IPv4-mapped IPv6 address becomes an IPv4 address.
 */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? []
  if (withPort !== undefined) return isIPv4(withPort) ? withPort : undefined
  const withoutZone = (bracketed ?? text).replace(/%.*$/, '')
  if (!isIPv6(withoutZone)) return undefined
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? []
  return high === undefined ? canonical : [high, low!].flatMap(bytesOf).join('.')
}

/** Returns the IPv4 address of a client of a socket that listens on both IPv4 and IPv6. */
export function unmapAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
}

/** True for an address of this machine, in canonical form. */
export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

const bytesOf = (group: string) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]

/**
 * Returns the network of a canonical address: the IPv4 address itself, or the IPv6 /64, of which a user usually has all
 * addresses.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = [], tail = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}
