// The addresses of the service's pages, for somebody who reads the output of a command.

import type { Config } from '../config/config.ts'
import { formatAddress } from '../server/http/reserve-address.ts'

/** Where the service of this configuration shows a view of the explorer, if it is running. */
export function explorerUrl({ PUBLIC_URL, HOST, PORT, TLS_CERT }: Config, view = ''): string {
  const scheme = TLS_CERT === undefined ? 'http' : 'https'
  return `${PUBLIC_URL || openUrl(`${scheme}://${formatAddress(HOST, PORT)}`)}/explorer${view}`
}

/** Browsers cannot open the address that stands for all addresses of the machine. */
export const openUrl = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
