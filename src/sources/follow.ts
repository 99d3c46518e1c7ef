// Follows all sources of a database whose leases this process can have: one process follows a source, and if it is killed,
// another one goes on when the lease has run out.

import { randomUUID } from 'node:crypto'
import { runPeriodically } from '../api/housekeeping.ts'
import { describeCause } from '../db/errors.ts'
import { query } from '../db/statements/query.ts'
import { followSource, type FollowOptions, type Follower, type Settings } from './follow-source.ts'
import holdLeasesSql from '../../sql/sources/hold-leases.sql'
import releaseLeasesSql from '../../sql/sources/release-leases.sql'

const holdLeases = query<Settings>(holdLeasesSql)
const releaseLeases = query(releaseLeasesSql)

/** Rounds that run at the same time. Each that writes has a connection of its own. */
const maxRounds = 4

export type Following = ReturnType<typeof followSources>

export function followSources(options: Omit<FollowOptions, 'inTurn'> & { leaseSeconds: number }) {
  const { db, log, leaseSeconds } = options
  const holder = randomUUID()
  const followers = new Map<string, { fence: string; follower: Follower }>()
  const inTurn = createTurns(maxRounds)
  let isClosing = false

  async function hold(): Promise<void> {
    if (isClosing) return
    const held = await holdLeases(db, { holder, leaseSeconds })
    const byProject = new Map(held.map((settings) => [settings.projectId, settings]))
    for (const [projectId, { fence, follower }] of followers) {
      const settings = byProject.get(projectId)
      if (settings?.fence === fence) follower.settings = settings
      else void follower.stop()
    }
    for (const settings of held) {
      const { projectId, fence } = settings
      // A follower that stops may still be writing.
      if (isClosing || followers.has(projectId)) continue
      const follower = followSource(settings, { ...options, inTurn })
      followers.set(projectId, { fence, follower })
      void follower.ended.then(() => followers.delete(projectId))
    }
  }

  const holding = runPeriodically(log, (leaseSeconds * 1_000) / 4, 'the leases of sources cannot be renewed', hold)
  void holding.run()

  return {
    /** Reads the source of the project now, if this process follows it. */
    hint: (projectId: string): void => followers.get(projectId)?.follower.hint(),
    async close(): Promise<void> {
      isClosing = true
      holding.close()
      await holding.run()
      await Promise.all([...followers.values()].map(({ follower }) => follower.stop()))
      // Otherwise they run out.
      await releaseLeases(db, { holder }).catch((error: unknown) => {
        log.warn('the leases of sources cannot be released', { cause: describeCause(error) })
      })
    },
  }
}

function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
