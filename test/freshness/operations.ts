// What writers do, every kind of register alone, all of one kind at once, several projects in one
// transaction, and whatever may come in the way of a commit.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../support/workgate.ts'
import type { Instance } from './instances.ts'
import { doneTask } from './ids.ts'
import { kinds } from './kinds.ts'
import type { Choice, Reads } from './reads.ts'
import { acknowledge, begin, isGone, type Register } from './registers.ts'
import type { Keys, World } from './world.ts'
import { transact, type Step, type Transaction } from './writes.ts'

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
  /** How far they go; without, as it happens. */
  step?: number
  /** Whether it came to its end, and was not refused for the sake of order. */
  write(steps: Step[], tools: Tools): Promise<boolean>
}

const isolations = ['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable']
const transactionsInDeck = 12

const plain =
  (more: (tools: Tools) => Partial<Transaction> = () => ({})) =>
  (steps: Step[], tools: Tools) =>
    transact(tools.sql, { steps, isolation: tools.choice.pick(isolations), ...more(tools) })

/** Others read and commit meanwhile. */
const held = plain(({ reads, choice }) => ({
  held: () => Promise.race([reads.until(reads.total.checked + choice.below(200)), sleep(50)]),
  savepoints: choice.chance(0.3),
}))
const rolledBack = plain(({ choice }) => ({ rolledBack: true, savepoints: choice.chance(0.3) }))
const savepoints = plain(() => ({ savepoints: true }))

export interface Deck {
  /** Each done alone and in this order, so that nothing else that is committed makes up for what goes unnoticed. */
  alone: Operation[]
  /** Done by all writers at the same time, again and again. */
  together: Operation[]
}

export function createDeck({ registers }: World): Deck {
  const bySql = registers.filter(({ kind }) => kind.write)
  const ofKind = (name: string) => registers.filter(({ kind }) => kind.name === name)
  const one = (among: Register[]) => (choice: Choice) => [choice.pick(among)]
  const several = (choice: Choice) => [...new Set(choice.times(2 + choice.below(4), () => choice.pick(bySql)))]
  const times = (name: string, count: number, write: Operation['write']) =>
    Array.from({ length: count }, () => ({ name, registers: several, write }))

  const byApi = [
    { name: 'create a task', registers: one(ofKind('made')), write: createTask },
    { name: 'complete a task', registers: one(ofKind('done')), write: completeTask },
    { name: 'create a project', registers: one(ofKind('key creating')), write: createProject },
  ]
  const singles = kinds.flatMap(({ name, write }) =>
    write ? [{ name, registers: one(ofKind(name)), write: plain() }] : [],
  )
  const truncates = kinds.flatMap(({ name, table }) =>
    table ? [{ name: `truncate ${table}`, registers: () => ofKind(name), write: truncate(table) }] : [],
  )
  const bulks = kinds.flatMap(({ name, of }) =>
    of === 'project' && name !== 'made'
      ? [{ name: `${name}, all`, registers: () => ofKind(name), write: plain() }]
      : [],
  )
  return {
    alone: [
      // What is there changes, goes and comes again.
      ...kinds.flatMap(({ name, write, remove }) =>
        (write ? (remove ? [2, 1, 1] : [2]) : []).map((step) => ({
          name: `${name} alone`,
          registers: () => ofKind(name).slice(0, 1),
          step,
          write: plain(),
        })),
      ),
      ...byApi,
      ...truncates,
    ],
    together: [
      ...singles,
      ...bulks,
      ...truncates,
      ...byApi,
      ...times('a transaction', transactionsInDeck, plain()),
      ...times('a transaction with savepoints', transactionsInDeck / 2, savepoints),
      ...times('a transaction that is held', transactionsInDeck, held),
      ...times('a transaction that is rolled back', transactionsInDeck / 2, rolledBack),
    ],
  }
}

const truncate =
  (truncated: string): Operation['write'] =>
  (steps, { sql }) => {
    const gone = steps.map(({ register }) => ({ register, n: register.value + 1 + (register.value % 2) }))
    return transact(sql, { steps: gone, isolation: 'read committed', truncated })
  }

const createTask: Operation['write'] = ([step], tools) =>
  post(step!, tools, tools.keys.all, `/projects/${step!.register.id}/tasks`, { title: 'Made' })

const completeTask: Operation['write'] = async ([step], tools) => {
  const { register, n } = step!
  if (!isGone(register, n)) return transact(tools.sql, { steps: [step!], isolation: 'read committed' })
  return post(step!, tools, tools.keys.all, `/projects/${register.id}/tasks/${doneTask(register.id)}/complete`, {})
}

const createProject: Operation['write'] = ([step], tools) =>
  post(step!, tools, tools.keys.creating, '/projects', { name: 'Made' })

async function post({ register, n }: Step, { instances, choice }: Tools, key: string, path: string, body: object) {
  begin(register, n)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await choice.pick(instances).ask('POST', path, headers, body)
  if (answer.status >= 300) throw new Error(`POST ${path} was answered with ${answer.status}: ${String(answer.body)}`)
  acknowledge(register, n)
  return true
}
