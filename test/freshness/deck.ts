// Lists the operations of the writers.

import { run } from '../support/environment.ts'
import { projectIds } from './ids.ts'
import { kinds } from './kinds.ts'
import {
  completeTask,
  createProject,
  createTask,
  heldOpen,
  plain,
  rolledBack,
  savepoints,
  truncate,
  type Operation,
} from './register-operations.ts'
import { registersOf, type Choice } from './reads.ts'
import type { Register } from './registers.ts'
import { readRoutes, type View } from './views.ts'
import type { World } from './register-world.ts'

export interface Deck {
  /** Run one at a time, in this order, so that no other commit hides a change that was not recorded. */
  alone: Operation[]
  /** Run by all writers concurrently, repeatedly in random order. */
  together: Operation[]
}

const transactionsPerKind = 12
/** Most writes go to these few projects, so that they often overlap. */
const busyProjects = projectIds.slice(0, 4)

export function createDeck({ registers }: World, views: View[]): Deck {
  const ofKind = (name: string) => registers.filter(({ kind }) => kind.name === name)
  const bySql = registers.filter(({ kind }) => kind.write)
  const isBusy = ({ kind, id }: Register) => kind.of !== 'project' || busyProjects.includes(id)
  const pickOf = (among: Register[], choice: Choice) => choice.pick(choice.chance(0.7) ? among.filter(isBusy) : among)
  const one = (name: string) => (choice: Choice) => [pickOf(ofKind(name), choice)]
  const several = (choice: Choice) => [...new Set(choice.times(2 + choice.below(4), () => pickOf(bySql, choice)))]
  const times = (name: string, count: number, write: Operation['write']) =>
    Array.from({ length: count }, () => ({ name, registers: several, write }))

  const byApi = [
    { name: 'create a task', registers: one('made'), write: createTask },
    { name: 'complete a task', registers: one('done'), write: completeTask },
    { name: 'create a project', registers: one('key creating'), write: createProject },
  ]
  const written = kinds.filter(({ write }) => write)
  const truncates = kinds.flatMap(({ name, table }) =>
    table ? [{ name: `truncate ${table}`, registers: () => ofKind(name), write: truncate(table) }] : [],
  )
  const bulks = written
    .filter(({ of }) => of === 'project')
    .map(({ name }) => ({ name: `${name}, all`, registers: () => ofKind(name), write: plain() }))
  // Replicated rows only fire triggers that are enabled for the replica role. A Citus cluster refuses such sessions.
  const replicated = written
    .filter(({ needsTriggers }) => !needsTriggers && !run().citus)
    .map(({ name }) => ({
      name: `${name}, replicated`,
      registers: () => ofKind(name).slice(0, 1),
      step: 2,
      write: plain(() => ({ replica: true })),
    }))

  return {
    alone: [
      // Rows are changed, and those that can be removed are removed and added again.
      ...written.flatMap(({ name, remove }) =>
        (remove ? [2, 1, 1] : [2]).map((step) => ({
          name: `${name} alone`,
          registers: () => ofKind(name).slice(0, 1),
          step,
          write: plain(),
        })),
      ),
      ...readRoutes.map((route) => aroundRoute(route, views)),
      ...byApi,
      ...truncates,
      ...replicated,
      ...bulks.filter((_, n) => n % 5 === 0),
    ],
    together: [
      ...written.map(({ name }) => ({ name, registers: one(name), write: plain() })),
      ...bulks,
      ...truncates,
      ...byApi,
      ...times('a transaction', transactionsPerKind, plain()),
      ...times('a transaction with savepoints', transactionsPerKind / 2, savepoints),
      ...times('a transaction held open', transactionsPerKind, heldOpen),
      ...times('a rolled back transaction', transactionsPerKind / 2, rolledBack),
    ],
  }
}

/** Requests a route with different keys and queries before and after one write. */
function aroundRoute(route: string, views: View[]): Operation {
  const ofRoute = views.filter((view) => view.route === route)
  const isAlone = ({ kind }: Register) => kind.write !== undefined && (kind.of === 'project' || kind.of === 'key')
  const register = ofRoute.flatMap(registersOf).find(isAlone)!
  const isAround = (view: View) => !route.includes(':') || registersOf(view).includes(register)
  return { name: `GET ${route}`, registers: () => [register], views: ofRoute.filter(isAround), step: 2, write: plain() }
}
