// GET /healthz and GET /readyz: for whoever watches the service. Public, and without data.

import type { Database } from '../db/database.ts'
import { MigrationError, pendingMigrations } from '../db/migrate.ts'
import type { Migration } from '../db/migrations.ts'
import { Problem } from '../api/problems/problem.ts'
import type { ApiResponse } from '../api/responses/response.ts'
import type { PublicRoute } from '../api/public-routes.ts'

export function createHealth(
  db: Database,
  migrations: readonly Migration[],
  isEnding: () => boolean,
): ReadonlyMap<string, PublicRoute> {
  let checking: Promise<void> | undefined

  /** Anybody may ask: those who ask at the same time share one look at the database. */
  function checkReady(): Promise<void> {
    // Whoever balances load shall send requests elsewhere.
    if (isEnding()) throw notReady('The service is about to stop.')
    checking ??= lookAtDatabase().finally(() => {
      checking = undefined
    })
    return checking
  }

  async function lookAtDatabase() {
    const pending = await pendingMigrations(db, migrations).catch((error: unknown) => {
      if (error instanceof MigrationError) throw notReady('The database is not at the version of this service.')
      throw error
    })
    if (pending.length > 0) throw notReady('The database is not migrated.')
  }

  const paths: PublicRoute[] = [
    { route: '/healthz', get: async () => statusAnswer('ok') },
    {
      route: '/readyz',
      async get() {
        await checkReady()
        return statusAnswer('ready')
      },
    },
  ]
  return new Map(paths.map((path) => [path.route, path]))
}

function statusAnswer(status: string): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ status }),
  }
}

function notReady(detail: string): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'retry-after': '1' } })
}
