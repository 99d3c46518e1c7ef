// GET /healthz and GET /readyz: public health checks for monitoring. They reveal no data.

import { waitForConnectionMs } from '../db/pool/pool.ts'
import type { Database } from '../db/database.ts'
import { MigrationError, pendingMigrations } from '../db/schema/migrate.ts'
import type { Migration } from '../db/schema/migrations.ts'
import { unavailable } from './problems/problem.ts'
import type { ApiResponse, PublicRoute } from './responses/response.ts'

export function createHealth(
  db: Database,
  migrations: readonly Migration[],
  isEnding: () => boolean,
): ReadonlyMap<string, PublicRoute> {
  let runningCheck: Promise<void> | undefined

  /** This path is public, so concurrent requests share one check of the database. */
  async function checkReady(): Promise<void> {
    // Load balancers then send requests elsewhere.
    if (isEnding()) throw unavailable('The service is shutting down.')
    runningCheck ??= startCheck()
    return runningCheck
  }

  /**
   * Fails early if the database does not respond, instead of after the time limit of a statement. The check continues,
   * so that a database that hangs gets no second one.
   */
  function startCheck(): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(unavailable('The database does not respond.'))
      const timer = setTimeout(refuse, waitForConnectionMs)
      checkDatabase()
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          runningCheck = undefined
        })
    })
  }

  async function checkDatabase() {
    const pending = await pendingMigrations(db, migrations).catch((error: unknown) => {
      if (error instanceof MigrationError)
        throw unavailable('The schema of the database does not match the version of this service.')
      throw error
    })
    if (pending.length > 0) throw unavailable('The database has pending migrations.')
  }

  const paths: PublicRoute[] = [
    { route: '/healthz', get: async () => statusResponse('ok') },
    { route: '/readyz', get: () => checkReady().then(() => statusResponse('ready')) },
  ]
  return new Map(paths.map((path) => [path.route, path]))
}

function statusResponse(status: string): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ status }),
  }
}
