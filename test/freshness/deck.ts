// All that writers do, as cards that are dealt to them.

import { projectIds } from './ids.ts'
import { kinds } from './kinds.ts'
import {
  completeTask,
  createProject,
  createTask,
  held,
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
  /** Each done by itself and in this order, so that nothing else that is committed makes up for what goes unnoticed. */
  alone: Operation[]
  /** Done by all writers at the same time, again and again. */
  together: Operation[]
}

const transactionsOfAKind = 12
/** Most of it happens in few projects, so that much of it meets. */
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
  // Of rows that another server has sent only triggers for them take notice.
  const replicated = written
    .filter(({ needsTriggers }) => !needsTriggers)
    .map(({ name }) => ({
      name: `${name}, replicated`,
      registers: () => ofKind(name).slice(0, 1),
      step: 2,
      write: plain(() => ({ replica: true })),
    }))

  return {
    alone: [
      // What is there changes, goes and comes again.
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
      ...times('a transaction', transactionsOfAKind, plain()),
      ...times('a transaction with savepoints', transactionsOfAKind / 2, savepoints),
      ...times('a transaction that is held', transactionsOfAKind, held),
      ...times('a transaction that is rolled back', transactionsOfAKind / 2, rolledBack),
    ],
  }
}

/** All that a route answers to different keys and queries about what is written. */
function aroundRoute(route: string, views: View[]): Operation {
  const ofRoute = views.filter((view) => view.route === route)
  const isAlone = ({ kind }: Register) => kind.write !== undefined && (kind.of === 'project' || kind.of === 'key')
  const register = ofRoute.flatMap(registersOf).find(isAlone)!
  const isAround = (view: View) => !route.includes(':') || registersOf(view).includes(register)
  return { name: `GET ${route}`, registers: () => [register], views: ofRoute.filter(isAround), step: 2, write: plain() }
}
