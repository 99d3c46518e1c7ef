// workgate worker: serves requests as one of several processes if WORKERS is more than 1. Started only by the service.

import { describeError } from './describe-error.ts'
import { createLog } from '../runtime/log.ts'
import { startServer } from '../server/server.ts'
import { connectToPrimary, type Primary } from '../server/workers/primary.ts'
import { UsageError } from './command-context.ts'
import { withPool } from './with-database.ts'

export async function worker(writeLine: (line: string) => void): Promise<void> {
  const primary = connectToPrimary()
  if (!primary) throw new UsageError('only the service starts workers; see WORKERS in "workgate help"')
  try {
    await serveAsWorker(writeLine, primary)
  } catch (error) {
    primary.send({ type: 'failed', problem: describeError(error) })
  }
  primary.disconnect()
}

async function serveAsWorker(
  writeLine: (line: string) => void,
  { start, stopped, control, buckets, send }: Primary,
): Promise<void> {
  const { worker: number, config, target, logStyle } = await start
  const log = createLog(config.LOG_LEVEL, writeLine, { worker: number }, logStyle)
  await withPool(config, target, async (db) => {
    const server = await startServer(config, db, log, buckets)
    control(server)
    send({ type: 'listening', url: server.url })
    await stopped
    await server.stop()
  })
}
