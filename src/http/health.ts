// GET /healthz and GET /readyz: for whoever watches the service. Public, and without data.

import type { Database } from '../db/database.ts'
import { MigrationError, pendingMigrations } from '../db/migrate.ts'
import type { Migration } from '../db/migrations.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'
import { Problem } from '../problem.ts'

export interface Health {
  answer(context: Context): Promise<Answer>
}

export function createHealth(db: Database, migrations: readonly Migration[], isEnding: () => boolean): Health {
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

  return {
    async answer(context) {
      const { path, incoming } = context
      const { method } = incoming
      if (path !== '/healthz' && path !== '/readyz') throw new Problem('NOT_FOUND', 'There is nothing at this path.')
      context.route = path
      if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' }
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { headers: { allow } })
      }
      if (path === '/readyz') await checkReady()
      return {
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify({ status: path === '/readyz' ? 'ready' : 'ok' }),
      }
    },
  }
}

const allow = 'GET, HEAD, OPTIONS'

function notReady(detail: string): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'retry-after': '1' } })
}
