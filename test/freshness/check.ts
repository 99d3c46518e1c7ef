// Runs two instances, writers and readers on one database until enough responses are checked.

import { serverUrls } from '../support/places.ts'
import { chooser } from '../support/random.ts'
import { connect } from '../support/workgate.ts'
import { openInstance, patient } from './instances.ts'
import { compact, holdSnapshots, read, write, writeAlone, type Scene } from './loops.ts'
import { createDeck } from './deck.ts'
import type { Operation } from './register-operations.ts'
import { createReads, type Count, type Reads } from './reads.ts'
import { createViews } from './views.ts'
import { createWorld, insertWorld } from './register-world.ts'

export interface Report extends Pick<Reads, 'total' | 'violations'> {
  /** By route. */
  counts: Record<string, Count>
  /** How often each operation ran, by name. */
  done: Record<string, number>
  seconds: number
  /** The log lines of requests that were answered with 503, and repeated. */
  unavailable: string[]
  /** The number of reads by server, the primary first. Empty without replicas. */
  servedBy: number[]
}

const writers = 5

/** wanted: the minimum number of checked responses. alone: true if each operation first runs by itself. */
export const loads = {
  short: { alone: true, wanted: 2_000, readers: 12, quiet: 60 },
  // For variants: a check stops at the first violation, so the high number only costs time if none is found.
  broken: { alone: true, wanted: 50_000, readers: 12, quiet: 60 },
  some: { alone: true, wanted: 20_000, readers: 24, quiet: 120 },
  long: { alone: true, wanted: 100_000, readers: 48, quiet: 600 },
  /** Only concurrent operations. */
  together: { alone: false, wanted: 10_000, readers: 24, quiet: 30 },
  races: { alone: false, wanted: 100_000, readers: 24, quiet: 30 },
}
export type LoadName = keyof typeof loads

/** Stops at the first violation. */
export async function check(
  url: string,
  { alone, wanted, readers, quiet }: (typeof loads)[LoadName],
  replicas?: string,
): Promise<Report> {
  const sql = connect(url)
  const choice = chooser(5)
  const world = createWorld()
  const keys = await insertWorld(sql, world)
  const instances = choice.times(2, () => patient(openInstance(url, replicas)))
  const connections = choice.times(writers + 1, () => connect(url, { max: 1 }))
  const compactors = serverUrls(url).map((server) => connect(server, { max: 1 }))
  const reads = createReads(instances, keys, choice)
  const views = createViews(world)
  const deck = { ...createDeck(world, views), ...(!alone && { alone: [] }) }
  const done = new Map<string, number>()
  let failed = false
  const scene: Scene = {
    views,
    hot: [],
    quiet,
    deck,
    tools: { instances, keys, reads, choice },
    done,
    isOver: () =>
      failed ||
      reads.violations.length > 0 ||
      (reads.total.checked >= wanted && deck.alone.every(({ name }) => done.has(name))),
  }
  const queue: Operation[] = []
  const untilOver = (loop: Promise<unknown>) =>
    loop
      .catch((error: unknown) => {
        failed = true
        throw error
      })
      .finally(reads.end)

  const started = performance.now()
  const [snapshotHolder, ...others] = connections
  const loops = [
    holdSnapshots(scene, snapshotHolder!),
    compact(scene, compactors),
    writeAlone(scene, others[0]!).then(() =>
      Promise.all([
        ...others.map((connection) => write(scene, queue, connection)),
        ...choice.times(readers, () => read(scene)),
      ]),
    ),
  ]
  const ends = await Promise.allSettled(loops.map(untilOver))
  const seconds = (performance.now() - started) / 1_000
  const servedBy = instances
    .map((instance) => instance.servedBy())
    .reduce((sums, each) => sums.map((sum, n) => sum + each[n]!))
  await Promise.all([
    ...instances.map(({ close }) => close()),
    ...[sql, ...connections, ...compactors].map((one) => one.end()),
  ])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const { violations, total, counts } = reads
  return {
    violations,
    total,
    counts: Object.fromEntries(counts),
    done: Object.fromEntries(done),
    seconds,
    unavailable: instances.flatMap((instance) => instance.unavailable),
    servedBy,
  }
}
