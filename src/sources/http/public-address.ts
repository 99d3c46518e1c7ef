// Decides to which addresses of a network a tracker's name may lead.

import type { LookupAddress } from 'node:dns'
import { BlockList, type LookupFunction } from 'node:net'
import { parseAddress } from '../../runtime/network-address.ts'
import { TrackerError } from './tracker-error.ts'

// https://www.iana.org/assignments/iana-ipv4-special-registry and …-ipv6-special-registry
// prettier-ignore
const special = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15],
  ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 3],
  // Teredo and other protocols, documentation, 6to4: the first and the last contain IPv4 addresses.
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20],
] as const

const specialAddresses = new BlockList()
for (const [network, bits] of special) specialAddresses.addSubnet(network, bits, familyOf(network))
/** All other IPv6 addresses are local, multicast or reserved, or contain an IPv4 address (NAT64). */
const globalIPv6 = new BlockList()
globalIPv6.addSubnet('2000::', 3, 'ipv6')

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** An IPv4-mapped IPv6 address is as public as its IPv4 address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  const family = familyOf(address)
  return !specialAddresses.check(address, family) && (family === 'ipv4' || globalIPv6.check(address, family))
}

export function privateAddressError(address: string): TrackerError {
  return new TrackerError(`the address is private: ${address}`)
}

/**
 * Resolves names to their public addresses only. Node connects to the addresses that it gets here, so a name that
 * resolves to something else later has no effect.
 */
export function lookupPublic(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const addresses = found as LookupAddress[]
      const allowed = addresses.filter(({ address }) => isPublicAddress(address))
      const [first] = allowed
      if (!first) callback(privateAddressError(addresses[0]?.address ?? 'none'), '')
      else if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
