// The operations of the writers: through SQL, with savepoints, rollbacks and delays before the commit, and through the
// API of any instance.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../support/workgate.ts'
import type { Instance } from './instances.ts'
import { doneTask } from './ids.ts'
import type { Choice, Reads } from './reads.ts'
import { acknowledge, begin, isRemoval, type Register } from './registers.ts'
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
  /** Chooses the registers to write, when the operation starts. */
  registers(choice: Choice): Register[]
  /** The views to request around the write. By default, some that show the written registers. */
  views?: View[]
  /** How far the numbers advance. By default, chosen at random. */
  step?: number
  /** Returns false if the database refused the write because of a conflict. */
  write(steps: Step[], tools: Tools): Promise<boolean>
}

const isolations = ['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable']

export const plain =
  (more: (tools: Tools) => Partial<Transaction> = () => ({})) =>
  (steps: Step[], tools: Tools) =>
    transact(tools.sql, { steps, isolation: isolationOf(steps, tools.choice), ...more(tools) })

const isolationOf = (steps: Step[], choice: Choice) =>
  steps.some(({ register }) => register.kind.needsReadCommitted) ? 'read committed' : choice.pick(isolations)

/** Stays open while others read and commit. */
export const heldOpen = plain(({ reads, choice }) => ({
  heldOpen: () => Promise.race([reads.until(reads.total.checked + choice.below(200)), sleep(50)]),
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
  if (!isRemoval(register, n)) return transact(tools.sql, { steps: [step!], isolation: 'read committed' })
  return post(step!, tools, tools.keys.all, `/projects/${register.id}/tasks/${doneTask(register.id)}/complete`, {})
}

export const createProject: Operation['write'] = ([step], tools) =>
  post(step!, tools, tools.keys.creating, '/projects', { name: 'Made' })

async function post({ register, n }: Step, { instances, choice }: Tools, key: string, path: string, body: object) {
  begin(register, n)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  }
  const response = await choice.pick(instances).ask('POST', path, headers, body)
  if (response.status >= 300) throw new Error(`POST ${path} failed with ${response.status}: ${String(response.body)}`)
  acknowledge(register, n)
  return true
}
