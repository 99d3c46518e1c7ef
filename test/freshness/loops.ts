// The concurrent loops: writers, which request what they changed from both instances right after the commit, and often
// just before it; readers, which request the same few views repeatedly, so that they are cached; one that holds a
// snapshot for long, as a backup does; and one that compacts.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../support/workgate.ts'
import type { Deck } from './deck.ts'
import type { Operation, Tools } from './register-operations.ts'
import { registersOf, type Choice } from './reads.ts'
import type { Register } from './registers.ts'
import { readRoutes, type View } from './views.ts'
import { hold, nextOf, release } from './register-writes.ts'

export interface Scene {
  views: View[]
  /** The views that readers request most at the moment, because their data is being written. */
  hot: View[]
  /** The maximum number of responses checked between two transactions of a writer. In such pauses, many are cached. */
  quiet: number
  deck: Deck
  tools: Omit<Tools, 'sql'>
  /** How often each operation ran. */
  done: Map<string, number>
  isOver(): boolean
}

const viewsAround = 4
const hotViews = 12

/** Runs each operation by itself, while no other writer runs. */
export async function writeAlone(scene: Scene, sql: Sql): Promise<void> {
  for (const operation of scene.deck.alone)
    do await turn(scene, operation, sql, readBefore)
    while (!scene.done.has(operation.name) && !scene.isOver())
}

export async function write(scene: Scene, queue: Operation[], sql: Sql): Promise<void> {
  const { quiet, deck, tools, isOver } = scene
  const { reads, choice } = tools
  while (!isOver()) {
    if (queue.length === 0) queue.push(...shuffled(deck.together, choice))
    await turn(scene, queue.pop()!, sql, { before: choice.chance(0.6), meanwhile: choice.chance(0.5) })
    await reads.until(reads.total.checked + choice.below(quiet))
  }
}

/**
 * When the written data is requested, besides right after the commit. Responses from before it are cached. Responses
 * from during the write are being created when they become stale. With neither, responses from long ago are cached.
 */
interface ReadTiming {
  before: boolean
  meanwhile: boolean
}

const readBefore: ReadTiming = { before: true, meanwhile: false }

async function turn(scene: Scene, { name, registers, views, step, write }: Operation, sql: Sql, timing: ReadTiming) {
  const { hot, tools, done } = scene
  const { reads, instances, choice } = tools
  const written = registers(choice)
  const around = views ?? viewsAbout(written, scene)
  for (const view of around.slice(-2)) hot[hot.length < hotViews ? hot.length : choice.below(hotViews)] = view
  const everywhere = (ask: (view: View, instance: number) => Promise<void>) =>
    Promise.all(around.flatMap((view) => instances.map((_, instance) => ask(view, instance))))
  const readAll = () => everywhere(reads.read)
  await hold(written)
  let isWritten = false
  try {
    if (timing.before) await readAll()
    // A key that will expire is known until then.
    const takesTime = written.some(({ kind }) => kind.after !== undefined)
    const meanwhile =
      timing.meanwhile || takesTime
        ? everywhere(async (view, instance) => {
            while (!isWritten) await reads.read(view, instance)
          })
        : undefined
    const steps = written.map((register) => nextOf(register, choice, step))
    if (await write(steps, { ...tools, sql })) done.set(name, 1 + (done.get(name) ?? 0))
    isWritten = true
    // The first time tests what was cached before the commit, the second time what the first one cached.
    await readAll()
    await readAll()
    await meanwhile
  } finally {
    isWritten = true
    release(written)
  }
}

export async function read({ views, hot, tools, isOver }: Scene): Promise<void> {
  const { reads, instances, choice } = tools
  const byRoute = readRoutes.map((route) => views.filter((view) => view.route === route))
  const any = () => choice.pick(choice.pick(byRoute))
  while (!isOver()) {
    await reads.read(choice.chance(0.75) ? choice.pick(hot) : any(), choice.below(instances.length))
  }
}

export async function holdSnapshots({ tools: { reads }, isOver }: Scene, sql: Sql): Promise<void> {
  while (!isOver()) {
    await sql`begin isolation level repeatable read`
    await sql`select count(*) from workgate.tasks`
    await Promise.race([reads.until(reads.total.checked + 3_000), sleep(1_000)])
    await sql`commit`
  }
}

/** Compacts each server more often than the service does. */
export async function compact({ tools: { reads }, isOver }: Scene, servers: readonly Sql[]): Promise<void> {
  while (!isOver()) {
    await Promise.all(servers.map((sql) => sql`select workgate.compact_marks()`))
    await reads.until(reads.total.checked + 40)
  }
}

function shuffled<T>(list: readonly T[], { below }: Choice): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(below(rest.length), 1)[0]!)
}

/** Prefers routes of which no response was newer yet, so that the check covers all of them. */
function viewsAbout(registers: Register[], { views, tools: { reads, choice } }: Scene): View[] {
  const about = views.filter((view) => registersOf(view).some((register) => registers.includes(register)))
  const isCovered = ({ route }: View) => Number((reads.counts.get(route)?.newer ?? 0) > 0)
  return shuffled(about, choice)
    .sort((a, b) => isCovered(a) - isCovered(b))
    .slice(0, viewsAround)
}
