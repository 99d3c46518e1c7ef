// workgate worker: one of the processes that serve requests where WORKERS is more than 1. Only the service starts it.

import { explain } from './explain.ts'
import { createLog } from '../runtime/log.ts'
import { startServing } from '../server/serving.ts'
import { joinPrimary, type Primary } from '../server/workers/primary.ts'
import { UsageError } from './host.ts'
import { withPool } from './with-database.ts'

interface WorkerHost {
  write(line: string): void
}

export async function worker(host: WorkerHost): Promise<void> {
  const primary = joinPrimary()
  if (!primary) throw new UsageError('workers are started by the service; see WORKERS in workgate help')
  try {
    await serveAsWorker(host, primary)
  } catch (error) {
    primary.tell({ is: 'failed', problem: explain(error) })
  }
  primary.leave()
}

async function serveAsWorker({ write }: WorkerHost, { start, stopped, attend, buckets, tell }: Primary): Promise<void> {
  const { worker: number, config, target } = await start
  const log = createLog(config.LOG_LEVEL, write, { worker: number })
  await withPool(config, target, async (db) => {
    const serving = await startServing({ config, db, log, buckets })
    attend(serving)
    tell({ is: 'listening', url: serving.url })
    await stopped
    await serving.stop()
  })
}
