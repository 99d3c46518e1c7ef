// What writers do to registers: by SQL, with whatever may come in the way of a commit, and by the API at any instance.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../support/workgate.ts'
import type { Instance } from './instances.ts'
import { doneTask } from './ids.ts'
import type { Choice, Reads } from './reads.ts'
import { acknowledge, begin, isDisconnected, type Register } from './registers.ts'
import type { View } from './views.ts'
import type { Keys } from './register-world.ts'
import { transact, type Step, type Transaction } from './register-writes.ts'

export interface Tools {
  sql: Sql
  instances: Instance[]
  keys: Keys
  reads: Reads
  choice: Choice
}

export interface Operation {
  name: string
  /** What it writes, chosen when it is its turn. */
  registers(choice: Choice): Register[]
  /** What is asked for around it; without, any views that show what it writes. */
  views?: View[]
  /** How far they go; without, as it happens. */
  step?: number
  /** Whether it came to its end, and was not refused for the sake of order. */
  write(steps: Step[], tools: Tools): Promise<boolean>
}

const isolations = ['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable']

export const plain =
  (more: (tools: Tools) => Partial<Transaction> = () => ({})) =>
  (steps: Step[], tools: Tools) =>
    transact(tools.sql, { steps, isolation: tools.choice.pick(isolations), ...more(tools) })

/** Others read and commit meanwhile. */
export const held = plain(({ reads, choice }) => ({
  held: () => Promise.race([reads.until(reads.total.checked + choice.below(200)), sleep(50)]),
  savepoints: choice.chance(0.3),
}))
export const rolledBack = plain(({ choice }) => ({ rolledBack: true, savepoints: choice.chance(0.3) }))
export const savepoints = plain(() => ({ savepoints: true }))

export const truncate =
  (truncated: string): Operation['write'] =>
  (steps, { sql }) => {
    const gone = steps.map(({ register }) => ({ register, n: register.value + 1 + (register.value % 2) }))
    return transact(sql, { steps: gone, isolation: 'read committed', truncated })
  }

export const createTask: Operation['write'] = ([step], tools) =>
  post(step!, tools, tools.keys.all, `/projects/${step!.register.id}/tasks`, { title: 'Made' })

export const completeTask: Operation['write'] = async ([step], tools) => {
  const { register, n } = step!
  if (!isDisconnected(register, n)) return transact(tools.sql, { steps: [step!], isolation: 'read committed' })
  return post(step!, tools, tools.keys.all, `/projects/${register.id}/tasks/${doneTask(register.id)}/complete`, {})
}

export const createProject: Operation['write'] = ([step], tools) =>
  post(step!, tools, tools.keys.creating, '/projects', { name: 'Made' })

async function post({ register, n }: Step, { instances, choice }: Tools, key: string, path: string, body: object) {
  begin(register, n)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await choice.pick(instances).ask('POST', path, headers, body)
  if (answer.status >= 300) throw new Error(`POST ${path} was answered with ${answer.status}: ${String(answer.body)}`)
  acknowledge(register, n)
  return true
}
