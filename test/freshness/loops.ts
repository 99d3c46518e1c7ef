// What goes on at the same time: writers, who ask for what they have changed as soon as it is committed, at both instances, where
// they have asked for it just before; readers, who ask for the same few views again and again, so that they are kept;
// somebody who looks at the database for long, as a backup does; and somebody who compacts.

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
  /** What readers ask for most at present, as somebody writes about it. */
  hot: View[]
  /** How many answers are checked at most between two transactions of a writer: quiet moments, in which much is kept. */
  quiet: number
  deck: Deck
  tools: Omit<Tools, 'sql'>
  /** How often each operation was done. */
  done: Map<string, number>
  isOver(): boolean
}

const viewsAround = 4
const hotViews = 12

/** Each for itself, while nobody else writes. */
export async function writeAlone(scene: Scene, sql: Sql): Promise<void> {
  for (const operation of scene.deck.alone) if (!scene.isOver()) await turn(scene, operation, sql, quietly)
}

export async function write(scene: Scene, hand: Operation[], sql: Sql): Promise<void> {
  const { quiet, deck, tools, isOver } = scene
  const { reads, choice } = tools
  while (!isOver()) {
    if (hand.length === 0) hand.push(...shuffled(deck.together, choice))
    await turn(scene, hand.pop()!, sql, { before: choice.chance(0.6), meanwhile: choice.chance(0.5) })
    await reads.until(reads.total.checked + choice.below(quiet))
  }
}

/**
 * When it is asked for what is written, beside just after the commit. What is read before is kept, and what is read meanwhile
 * is under way when it becomes old. Without either, what was kept long ago is asked for again.
 */
interface Asking {
  before: boolean
  meanwhile: boolean
}

const quietly: Asking = { before: true, meanwhile: false }

async function turn(scene: Scene, { name, registers, views, step, write }: Operation, sql: Sql, asking: Asking) {
  const { hot, tools, done } = scene
  const { reads, instances, choice } = tools
  const written = registers(choice)
  const around = views ?? viewsAbout(written, scene.views, choice)
  for (const view of around.slice(-2)) hot[hot.length < hotViews ? hot.length : choice.below(hotViews)] = view
  const everywhere = (ask: (view: View, instance: number) => Promise<void>) =>
    Promise.all(around.flatMap((view) => instances.map((_, instance) => ask(view, instance))))
  const readAll = () => everywhere(reads.read)
  await hold(written)
  let isWritten = false
  try {
    if (asking.before) await readAll()
    const meanwhile = asking.meanwhile
      ? everywhere(async (view, instance) => {
          while (!isWritten) await reads.read(view, instance)
        })
      : undefined
    const steps = written.map((register) => nextOf(register, choice, step))
    if (await write(steps, { ...tools, sql })) done.set(name, 1 + (done.get(name) ?? 0))
    isWritten = true
    // Once for what was kept from before, and once for what is kept of that.
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

export async function lookLong({ tools: { reads }, isOver }: Scene, sql: Sql): Promise<void> {
  while (!isOver()) {
    await sql`begin isolation level repeatable read`
    await sql`select count(*) from workgate.projects`
    await Promise.race([reads.until(reads.total.checked + 3_000), sleep(1_000)])
    await sql`commit`
  }
}

/** More often than the services do it. */
export async function compact({ tools: { reads }, isOver }: Scene, sql: Sql): Promise<void> {
  while (!isOver()) {
    await sql`select workgate.compact_changes()`
    await reads.until(reads.total.checked + 40)
  }
}

function shuffled<T>(list: readonly T[], { below }: Choice): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(below(rest.length), 1)[0]!)
}

function viewsAbout(registers: Register[], views: View[], choice: Choice): View[] {
  const about = views.filter((view) => registersOf(view).some((register) => registers.includes(register)))
  return shuffled(about, choice).slice(0, viewsAround)
}
