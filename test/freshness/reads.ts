// Asks for a view, as a client does that keeps what it got, and checks the answer: it must show everything that was committed
// before it was asked for, and nothing that nobody has committed.

import type { SentResponse } from '../../src/api/responses/response.ts'
import type { chooser } from '../support/random.ts'
import { plain } from '../support/workgate.ts'
import { environmentKey, type Instance } from './instances.ts'
import { absent, isPossible, learn, present, unknown, type Register } from './registers.ts'
import type { View } from './views.ts'
import type { Keys } from './register-world.ts'

export type Choice = ReturnType<typeof chooser>

/** How many answers were checked, and of them such as could not have been the same as the last one. */
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
  /** Comes when so many answers were checked, or none will be any more. */
  until(total: number): Promise<void>
  /** Nobody waits any longer. */
  end(): void
}

/** What a client has: the values of what it shows, by the registers of the view. */
interface Held {
  etag: string
  values: number[]
}

export function createReads(instances: Instance[], keys: Keys, choice: Choice): Reads {
  const counts = new Map<string, Count>()
  const total: Count = { checked: 0, newer: 0, notModified: 0 }
  const violations: string[] = []
  const held = instances.map(() => new Map<View, Held>())
  const waiting = new Set<() => void>()
  let ended = false

  async function read(view: View, instance: number) {
    const last = held[instance]!.get(view)
    const known = last && choice.chance(0.5) ? last : undefined
    const headers = {
      authorization: `Bearer ${view.key ? keys[view.key] : choice.pick([keys.all, environmentKey])}`,
      ...(known?.etag && { 'if-none-match': known.etag }),
      ...(choice.chance(0.05) && { 'accept-encoding': choice.pick(['br', 'gzip']) }),
    }
    const registers = registersOf(view)
    const floors = registers.map(({ floor }) => floor)
    const newer =
      last !== undefined && !registers.every((register, n) => isPossible(last.values[n]!, floors[n]!, register))

    const answer = await instances[instance]!.ask('GET', view.path, headers)
    const isKnown = answer.status === 304
    if (isKnown && !known) throw new Error(`GET ${view.path} was answered with 304, but nothing was known`)
    const values = isKnown ? known!.values : valuesIn(view, answer)
    if (!values) return void violations.push(`GET ${view.path} was given another answer: ${plain(answer)}`)
    if (!isKnown) held[instance]!.set(view, { etag: answer.headers['etag'] ?? '', values })
    registers.forEach((register, n) => {
      if (isPossible(values[n]!, floors[n]!, register)) return learn(register, values[n]!, floors[n]!)
      violations.push(describe(view, instance, register, values[n]!, floors[n]!, answer.status))
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

export const registersOf = ({ shows, refusals }: View): Register[] =>
  [...shows, ...refusals.map(([, r]) => [r] as const)].map(([r]) => r)

/** Undefined where it is no answer to this question. */
function valuesIn({ path, shows, refusals }: View, answer: SentResponse): number[] | undefined {
  if (answer.status === 200) {
    const body = JSON.parse(plain(answer))
    try {
      return [...shows.map(([, read]) => read(body)), ...refusals.map(() => present)]
    } catch {
      return undefined
    }
  }
  const values = refusals.map(([status]) => (status === answer.status ? absent : unknown))
  if (!values.includes(absent))
    throw new Error(`GET ${path} was answered with ${answer.status}: ${String(answer.body)}`)
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
  const shown = { [absent]: 'nothing', [present]: 'something' }[value] ?? value
  const { kind, id, ceiling } = register
  return `GET ${view.path} of instance ${instance} (${status}) shows ${shown} of "${kind.name}" ${id}: ${floor} was committed before, ${ceiling} is the last begun`
}
