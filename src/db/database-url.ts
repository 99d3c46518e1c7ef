// Reads the hosts in DATABASE_URL. It may list several hosts, which URL cannot parse, and IPv6 addresses, which the
// driver cuts off at their first colon.

import { isIP } from 'node:net'

/** Splits a URL with several hosts into one URL for each. */
export function urlPerHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([^:/]*:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

/**
 * Returns hosts and ports as driver options. The driver's types allow only one host, hence the type `object`. Empty if
 * the URL names no host: the driver has a default.
 */
export function driverHosts(url: string): object {
  const urls = urlPerHost(url).map((one) => new URL(one))
  if (urls.some(({ hostname }) => hostname === '')) return {}
  return {
    host: urls.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, '$1')),
    port: urls.map(({ port }) => Number(port) || 5432),
  }
}

/** The hosts and ports, or the folder of the Unix socket, for messages: without user, password and parameters. */
export function describeHosts(url: string): string {
  // A password that contains an unencoded slash: its beginning would be taken for the port.
  if (/^[^:]*:\/\/[^/@]*\/.*@/s.test(url)) return 'the host of DATABASE_URL'
  const hosts = urlPerHost(url).map((one) => {
    const { hostname, port, searchParams } = new URL(one)
    return hostname === '' ? (searchParams.get('host') ?? 'localhost') : `${hostname}:${port || 5432}`
  })
  return hosts.join(',')
}

/** Allows several hosts; refuses a user or password with a bare %, which the driver cannot decode. */
export function isDatabaseUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\/\/?[^/?#\s]/.test(value) || !urlPerHost(value).every((one) => URL.canParse(one)))
    return false
  try {
    const { username, password } = new URL(urlPerHost(value)[0]!)
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** For an IP address the driver would check the certificate against "localhost". */
export function hasHostNamesOnly(url: string): boolean {
  return urlPerHost(url).every(
    (one) => URL.canParse(one) && isIP(new URL(one).hostname.replace(/^\[(.*)\]$/, '$1')) === 0,
  )
}
