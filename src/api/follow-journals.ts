// Follows the journals of all servers while anybody waits for changes. It polls the database, so it sees changes through
// any channel, with any number of instances, and behind any connection pooler.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../db/database.ts'
import { query } from '../db/statements/query.ts'
import newEntriesSql from '../../sql/waiting/new-entries.sql'

/** The tasks of a scope that changed, beside other objects, or null if all of the scope may have. */
export type Change = readonly [scope: string, tasks: ReadonlySet<string> | null]

interface Followers {
  /** False if nobody waits any more: then the polls end. */
  areThere(): boolean
  /** Called with new entries. Without changes, everything may have changed. */
  notify(changes: readonly Change[] | undefined): void
  /** Called with each poll, unless the last call has yet to resolve. */
  checkKeys(): Promise<void>
  /** Called if no server can be read. Then the polls end. */
  fail(error: Error): void
}

/** A server with a journal, as it was when it was asked last. */
interface Followed {
  /** The snapshot up to which changes were noticed. */
  base?: string
  /** Set while it is asked. */
  asked?: Promise<void>
  failure?: unknown
}

export const findNewEntries = query<{ now: string; changes: string | null }>(newEntriesSql, () => 'generic')

export const pollIntervalMs = 50

/** Returns a function that starts to follow, if nobody has yet, and resolves once changes are noticed. */
export function createFollowing(
  serversOf: () => Promise<readonly Server[]>,
  followers: Followers,
): () => Promise<void> {
  /** Undefined while nobody waits. */
  let started: Promise<void> | undefined

  async function start() {
    const servers = new Map<Server, Followed>()
    try {
      const all = await serversOf()
      await Promise.all(all.map((server) => ask(servers, server, () => {})))
      throwIfAllFail(all.map((server) => servers.get(server)))
      void poll(servers)
    } catch (error) {
      started = undefined
      throw error
    }
  }

  async function poll(servers: Map<Server, Followed>) {
    let checkingKeys: Promise<void> | undefined
    try {
      while (followers.areThere()) {
        await sleep(pollIntervalMs)
        const all = await serversOf()
        // Before they are asked again, so that no failure is missed.
        throwIfAllFail(all.map((server) => servers.get(server)))
        const asked = all.map((server) => servers.get(server)?.asked ?? ask(servers, server, followers.notify))
        checkingKeys ??= followers.checkKeys().finally(() => (checkingKeys = undefined))
        // A server that does not respond does not delay what others tell.
        await Promise.race([Promise.all([...asked, checkingKeys]), sleep(pollIntervalMs)])
      }
    } catch (error) {
      followers.fail(error as Error)
    }
    started = undefined
  }

  return () => (started ??= start())
}

/** After a failure, and on a server that is new, everything may have changed. */
async function ask(servers: Map<Server, Followed>, server: Server, notify: Followers['notify']) {
  const { base = null } = servers.get(server) ?? {}
  const asked = findNewEntries(server.checks, { base }).then(
    ([row]) => {
      if (row!.changes !== '[]') notify(row!.changes === null ? undefined : parseChanges(row!.changes))
      servers.set(server, { base: row!.now })
    },
    (failure: unknown) => void servers.set(server, { failure }),
  )
  servers.set(server, { asked })
  await asked
}

function parseChanges(text: string): Change[] {
  const found = JSON.parse(text) as [scope: string, tasks: string[] | null][]
  return found.map(([scope, tasks]) => [scope, tasks && new Set(tasks)])
}

function throwIfAllFail(servers: readonly (Followed | undefined)[]) {
  const failed = servers.filter((server) => server !== undefined && 'failure' in server)
  if (failed.length > 0 && failed.length === servers.length) throw failed[0]!.failure
}
