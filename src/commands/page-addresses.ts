// The addresses of the service's pages, for somebody who reads the output of a command.

import type { Config } from '../config/config.ts'
import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import { formatAddress } from '../server/http/reserve-address.ts'
import findServicesSql from '../../sql/services/find-services.sql'

const findServices = query<{ port: number }>(findServicesSql)

/** The name of the sessions of a service, by which commands learn its port. */
export const serviceName = (port: number) => (port === 0 ? 'workgate' : `workgate on port ${port}`)

/** Where a service of this database shows a view of the explorer. */
export async function explorerUrl(config: Config, db: Runner, view = ''): Promise<string> {
  const { PUBLIC_URL, HOST, TLS_CERT } = config
  const scheme = TLS_CERT === undefined ? 'http' : 'https'
  const url = PUBLIC_URL || openUrl(`${scheme}://${formatAddress(HOST, await findPort(config, db))}`)
  return `${url}/explorer${view}`
}

/** The port of the configuration, unless the services that are running have others. */
async function findPort({ PORT }: Config, db: Runner): Promise<number> {
  const ports = (await findServices(db, {})).map(({ port }) => port)
  return ports.length === 0 || ports.includes(PORT) ? PORT : ports[0]!
}

/** Browsers cannot open the address that stands for all addresses of the machine. */
export const openUrl = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
