// workgate worker: serves requests as one of several processes if WORKERS is more than 1. Started only by the service.

import { describeError } from './describe-error.ts'
import { createLog } from '../runtime/log.ts'
import { startServer } from '../server/server.ts'
import { connectToPrimary } from '../server/workers/primary.ts'
import { UsageError } from './command-context.ts'
import { withServicePool } from './with-database.ts'

export async function worker(writeLine: (line: string) => void): Promise<void> {
  const primary = connectToPrimary()
  if (!primary) throw new UsageError('only the service starts workers; see WORKERS in "workgate help"')
  try {
    const { worker: number, config, target, logStyle } = await primary.start
    const log = createLog(config.LOG_LEVEL, writeLine, { worker: number }, logStyle)
    await withServicePool(config, target, log, async (db) => {
      const server = await startServer(config, db, log, primary.buckets)
      primary.control(server)
      primary.send({ type: 'listening', url: server.url })
      await primary.stopped
      await server.stop()
    })
  } catch (error) {
    primary.send({ type: 'failed', problem: describeError(error) })
  }
  primary.disconnect()
}
