// workgate serve: the service, until somebody asks it to end.

import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import { listen } from '../http/server.ts'
import { createService } from '../service.ts'
import { version } from '../version.ts'
import type { Host } from './host.ts'
import { patiently, prepareSchema, withOwnDatabase } from './with-database.ts'
import anyKeySql from '../../sql/access/any-key.sql'

const findAnyKey = query<{ exists: boolean }>(anyKeySql)

export async function serve(host: Host): Promise<void> {
  const { config, log } = host
  await withOwnDatabase(host, async (db, failed) => {
    const hasKeys = await patiently(host, () => prepare(host, db))
    const service = createService(config, db, log)
    const listening = await listen(service.app, {
      host: config.HOST,
      port: config.PORT,
      maxConnections: config.MAX_CONNECTIONS,
      trustProxy: config.TRUST_PROXY,
    })
    try {
      log.info('listening', { url: listening.url, version })
      if (!hasKeys) log.info(`there are no API keys yet; make one: ${host.program} keys create first --all-projects`)
      const broken = await Promise.race([host.stopped.then(() => undefined), failed])
      if (broken) throw broken
    } finally {
      log.info('stopping')
      service.endWaiting()
      await listening.close(config.SHUTDOWN_GRACE_MS)
      await service.close()
    }
  })
  log.info('stopped')
}

/** Whether anybody could use the service. */
async function prepare(host: Host, db: Database): Promise<boolean> {
  await prepareSchema(host, db)
  const [row] = await findAnyKey(db, {})
  return row!.exists || host.config.API_KEYS.size > 0
}
