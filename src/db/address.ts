// The hosts of a database's address. There may be several, for which a URL has no place; and IPv6 addresses, which the driver
// would cut off at their first colon.

import { isIP } from 'node:net'

/** An address for each host that it names. */
export function addressesOf(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([^:/]*:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/** As the driver takes them, whose types know of one; nothing where none is named, and it takes its own default. */
export function hostsOf(url: string): object {
  const addresses = addressesOf(url).map((address) => new URL(address))
  if (addresses.some(({ hostname }) => hostname === '')) return {}
  return {
    host: addresses.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, '$1')),
    port: addresses.map(({ port }) => Number(port) || 5432),
  }
}

/** Several hosts may stand where a URL has one; a name or password with a bare % could not be read later. */
export function isDatabaseUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\/\/?[^/?#\s]/.test(value) || !addressesOf(value).every((one) => URL.canParse(one)))
    return false
  try {
    const { username, password } = new URL(addressesOf(value)[0]!)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** Of an address the driver does not know what its certificate has to name, and asks for that of localhost. */
export function namesHosts(url: string): boolean {
  return addressesOf(url).every(
    (one) => URL.canParse(one) && isIP(new URL(one).hostname.replace(/^\[(.*)\]$/, '$1')) === 0,
  )
}
