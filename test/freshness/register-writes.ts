// Transactions on registers: with any isolation, of one statement or several, with what is rolled back to a savepoint in them,
// held open or rolled back whole.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../support/workgate.ts'
import type { Kind } from './kinds.ts'
import type { Choice } from './reads.ts'
import { acknowledge, begin, isDisconnected, neverCommitted, type Register } from './registers.ts'

/** A register with the number that it gets. */
export interface Step {
  register: Register
  n: number
}

export interface Transaction {
  steps: Step[]
  isolation: string
  /** What is waited for between the writes and the commit. */
  held?: () => Promise<unknown>
  rolledBack?: boolean
  /** Before each write another one is made and rolled back to a savepoint. */
  savepoints?: boolean
  /** In place of the writes. */
  truncated?: string
  replica?: boolean
}

/** Where a register goes next: what can be there or not may be taken away, and comes again. */
export function nextOf(register: Register, choice: Choice, step?: number): Step {
  const { kind, value } = register
  const single = kind.counts || (kind.remove && (value % 2 === 1 || choice.chance(0.5)))
  return { register, n: value + (step ?? (single ? 1 : 2)) }
}

/** Waits until no other writer has one of them. */
export async function hold(registers: Register[]): Promise<void> {
  while (registers.some(({ busy }) => busy)) await sleep(1)
  for (const register of registers) register.busy = true
}

export function release(registers: Register[]): void {
  for (const register of registers) register.busy = false
}

const mayRefuse = new Set(['40001', '40P01', '55P03', 'WG003', 'WG007'])

/** Whether it came to its end. */
export async function transact(sql: Sql, { steps, isolation, ...how }: Transaction): Promise<boolean> {
  const { held, rolledBack, savepoints, truncated, replica } = how
  if (!rolledBack) for (const { register, n } of steps) begin(register, n)
  try {
    await sql.unsafe(`begin isolation level ${isolation}`)
    if (replica) await sql`set local session_replication_role = replica`
    if (savepoints) await sql`savepoint before`
    if (savepoints) await apply(sql, steps.map(broken))
    if (savepoints) await sql`rollback to before`
    if (truncated) await sql.unsafe(`set local lock_timeout = 1000; truncate workgate.${truncated}`)
    else await apply(sql, rolledBack ? steps.map(broken) : steps)
    await held?.()
    await sql.unsafe(rolledBack ? 'rollback' : 'commit')
  } catch (error) {
    await sql`rollback`
    if (!mayRefuse.has((error as { code?: string }).code ?? '')) throw error
    return false
  }
  if (rolledBack) return true
  const after = Math.max(
    ...steps.map(({ register, n }) => (isDisconnected(register, n) ? (register.kind.after ?? 0) : 0)),
  )
  if (after > 0) await sleep(after)
  for (const { register, n } of steps) acknowledge(register, n)
  return true
}

const broken = ({ register, n }: Step): Step => ({ register, n: n + neverCommitted })

/** One statement for each kind, and whether the rows come or go. */
async function apply(sql: Sql, steps: Step[]) {
  const groups = new Map<string, { kind: Kind; gone: boolean; steps: Step[] }>()
  for (const step of steps) {
    const { kind } = step.register
    const gone = isDisconnected(step.register, step.n)
    const name = `${kind.name} ${gone}`
    const group = groups.get(name) ?? { kind, gone, steps: [] }
    groups.set(name, group)
    group.steps.push(step)
  }
  for (const { kind, gone, steps } of groups.values()) {
    const ids = steps.map(({ register }) => register.id)
    if (gone) await sql.unsafe(kind.remove!, [ids])
    else await sql.unsafe(kind.write!, [ids, steps.map(({ n }) => n)])
  }
}
