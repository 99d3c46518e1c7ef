// Two instances, writers and readers on a database of their own, until so many answers were checked.

import { chooser } from '../support/random.ts'
import { connect } from '../support/workgate.ts'
import { openInstance } from './instances.ts'
import { lookLong, read, write, type Scene } from './loops.ts'
import { createDeck } from './operations.ts'
import { createReads, type Reads } from './reads.ts'
import { createViews } from './views.ts'
import { createWorld, insertWorld } from './world.ts'

export interface Report extends Pick<Reads, 'counts' | 'total' | 'violations'> {
  /** How often each operation was done. */
  done: Map<string, number>
  seconds: number
}

const writers = 5
const readers = 24

export interface Load extends Pick<Scene, 'quiet'> {
  /** How many answers are checked at least. */
  wanted: number
}

export const shortLoad: Load = { wanted: 4_000, quiet: 150 }
export const longLoad: Load = { wanted: 100_000, quiet: 600 }

/** Ends at the first violation. */
export async function check(url: string, { wanted, quiet }: Load, seed = 5): Promise<Report> {
  const sql = connect(url)
  const choice = chooser(seed)
  const world = createWorld()
  const keys = await insertWorld(sql, world)
  const instances = [openInstance(url), openInstance(url)]
  const connections = choice.times(writers + 1, () => connect(url, { max: 1 }))
  const reads = createReads(instances, keys, choice)
  const deck = createDeck(world)
  const done = new Map<string, number>()
  let failed = false
  const scene: Scene = {
    views: createViews(world),
    quiet,
    deck,
    tools: { instances, keys, reads, choice },
    done,
    isOver: () =>
      failed ||
      reads.violations.length > 0 ||
      (reads.total.checked >= wanted && deck.every(({ name }) => done.has(name))),
  }
  const untilOver = (loop: Promise<void>) =>
    loop
      .catch((error: unknown) => {
        failed = true
        throw error
      })
      .finally(reads.end)

  const started = performance.now()
  const [looker, ...others] = connections
  const loops = [
    lookLong(scene, looker!),
    ...others.map((connection) => write(scene, connection)),
    ...choice.times(readers, () => read(scene)),
  ]
  const ends = await Promise.allSettled(loops.map(untilOver))
  const seconds = (performance.now() - started) / 1_000
  await Promise.all([...instances.map(({ close }) => close()), ...[sql, ...connections].map((one) => one.end())])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return { violations: reads.violations, total: reads.total, counts: reads.counts, done, seconds }
}
