// Requests a view as a caching client does, and checks the response: it must show everything that was committed before
// the request, and nothing that was never committed.

import type { SentResponse } from '../../src/api/responses/response.ts'
import type { chooser } from '../support/random.ts'
import { plain } from '../support/workgate.ts'
import { environmentKeys, type Instance } from './instances.ts'
import { absent, isPossible, learn, present, unknown, type Register } from './registers.ts'
import type { View } from './views.ts'
import type { Keys } from './register-world.ts'

export type Choice = ReturnType<typeof chooser>

/** The checked responses, those that could not equal the previous one, and those with status 304. */
export interface Count {
  checked: number
  newer: number
  notModified: number
}

export interface Reads {
  /** By route. */
  counts: Map<string, Count>
  total: Count
  violations: string[]
  read(view: View, instance: number): Promise<void>
  /** Resolves when this many responses are checked, or the check has ended. */
  until(total: number): Promise<void>
  /** Resolves all calls of until. */
  end(): void
}

/** A response that a client has cached. Its values are in the order of the view's registers. */
interface CachedResponse {
  etag: string
  values: number[]
}

export function createReads(instances: Instance[], keys: Keys, choice: Choice): Reads {
  const counts = new Map<string, Count>()
  const total: Count = { checked: 0, newer: 0, notModified: 0 }
  const violations: string[] = []
  const cached = instances.map(() => new Map<View, CachedResponse>())
  const waiting = new Set<() => void>()
  let ended = false

  async function read(view: View, instance: number) {
    const last = cached[instance]!.get(view)
    const known = last && choice.chance(0.5) ? last : undefined
    const headers = {
      authorization: `Bearer ${choice.pick(keysFor(view, keys))}`,
      ...(known?.etag && { 'if-none-match': known.etag }),
      ...(choice.chance(0.05) && { 'accept-encoding': choice.pick(['br', 'gzip']) }),
    }
    const registers = registersOf(view)
    const floors = registers.map(({ floor }) => floor)
    const newer =
      last !== undefined && !registers.every((register, n) => isPossible(last.values[n]!, floors[n]!, register))

    const response = await instances[instance]!.ask('GET', view.path, headers)
    const isKnown = response.status === 304
    if (isKnown && !known) throw new Error(`GET ${view.path} returned 304 to a request without If-None-Match`)
    const values = isKnown ? known!.values : valuesIn(view, response)
    if (!values)
      return void violations.push(
        `GET ${view.path} returned ${response.status} with an unexpected body: ${plain(response)}`,
      )
    if (!isKnown) cached[instance]!.set(view, { etag: response.headers['etag'] ?? '', values })
    registers.forEach((register, n) => {
      if (isPossible(values[n]!, floors[n]!, register)) return learn(register, values[n]!, floors[n]!)
      violations.push(describe(view, instance, register, values[n]!, floors[n]!, response.status))
    })
    count(view.route, newer, isKnown)
  }

  function count(route: string, newer: boolean, notModified: boolean) {
    const ofRoute = counts.get(route) ?? { checked: 0, newer: 0, notModified: 0 }
    counts.set(route, ofRoute)
    for (const one of [ofRoute, total]) {
      one.checked++
      one.newer += Number(newer)
      one.notModified += Number(notModified)
    }
    for (const wake of waiting) wake()
  }

  return {
    counts,
    total,
    violations,
    read,
    until: (wanted) =>
      new Promise((resolve) => {
        const wake = () => {
          if (!ended && total.checked < wanted) return
          waiting.delete(wake)
          resolve()
        }
        waiting.add(wake)
        wake()
      }),
    end() {
      ended = true
      for (const wake of waiting) wake()
    },
  }
}

/** Keys with the same permissions. */
function keysFor({ key = 'all' }: View, keys: Keys): string[] {
  return key === 'all' || key === 'some' ? [keys[key], environmentKeys[key]] : [keys[key]]
}

export const registersOf = ({ shows, refusals }: View): Register[] =>
  [...shows, ...refusals.map(([, r]) => [r] as const)].map(([r]) => r)

/** Returns undefined if the response does not fit the view. */
function valuesIn({ path, shows, refusals }: View, response: SentResponse): number[] | undefined {
  if (response.status === 200) {
    const body = JSON.parse(plain(response))
    try {
      return [...shows.map(([, read]) => read(body)), ...refusals.map(() => present)]
    } catch {
      return undefined
    }
  }
  const values = refusals.map(([status]) => (status === response.status ? absent : unknown))
  if (response.status >= 500) throw new Error(`GET ${path} failed with ${response.status}: ${String(response.body)}`)
  if (!values.includes(absent)) return undefined
  return [...shows.map(() => unknown), ...values]
}

function describe(
  view: View,
  instance: number,
  register: Register,
  value: number,
  floor: number,
  status: number,
): string {
  const text = { [absent]: 'no row', [present]: 'a row' }[value] ?? value
  const { kind, id, ceiling } = register
  return `GET ${view.path} from instance ${instance} (${status}) shows ${text} for "${kind.name}" ${id}: ${floor} was committed before the request, ${ceiling} is the last number written`
}
