// Transactions on registers: at any isolation level, of one or more statements, held open, rolled back, or with writes
// that are rolled back to a savepoint.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../support/workgate.ts'
import type { Kind } from './kinds.ts'
import type { Choice } from './reads.ts'
import { acknowledge, begin, isRemoval, neverCommitted, type Register } from './registers.ts'

/** A register and the number to write. */
export interface Step {
  register: Register
  n: number
}

export interface Transaction {
  steps: Step[]
  isolation: string
  /** Delays the commit. */
  heldOpen?: () => Promise<unknown>
  rolledBack?: boolean
  /** First writes other numbers and rolls them back to a savepoint. */
  savepoints?: boolean
  /** A table that is truncated instead of the writes. */
  truncated?: string
  replica?: boolean
}

/** Chooses the next number of a register. If its rows can be removed, odd numbers remove them. */
export function nextOf(register: Register, choice: Choice, step?: number): Step {
  const { kind, value } = register
  const single = kind.counts || (kind.remove && (value % 2 === 1 || choice.chance(0.5)))
  return { register, n: value + (step ?? (single ? 1 : 2)) }
}

/** Waits until no other writer uses the registers, and reserves them. */
export async function hold(registers: Register[]): Promise<void> {
  while (registers.some(({ busy }) => busy)) await sleep(1)
  for (const register of registers) register.busy = true
}

export function release(registers: Register[]): void {
  for (const register of registers) register.busy = false
}

const conflictCodes = new Set(['40001', '40P01', '55P03', 'WG003', 'WG007', 'WG011', 'WG012'])

/** Returns false if the database refused the transaction because of a conflict. */
export async function transact(sql: Sql, { steps, isolation, ...how }: Transaction): Promise<boolean> {
  const { heldOpen, rolledBack, savepoints, truncated, replica } = how
  if (!rolledBack) for (const { register, n } of steps) begin(register, n)
  try {
    await sql.unsafe(`begin isolation level ${isolation}`)
    if (replica) await sql`set local session_replication_role = replica`
    if (savepoints) await sql`savepoint before`
    if (savepoints) await apply(sql, steps.map(withDiscardedNumber))
    if (savepoints) await sql`rollback to before`
    if (truncated) {
      await sql`set local lock_timeout = 1000`
      await sql.unsafe(`truncate workgate.${truncated}`)
    } else await apply(sql, rolledBack ? steps.map(withDiscardedNumber) : steps)
    await heldOpen?.()
    await sql.unsafe(rolledBack ? 'rollback' : 'commit')
  } catch (error) {
    await sql`rollback`
    if (!conflictCodes.has((error as { code?: string }).code ?? '')) throw error
    return false
  }
  if (rolledBack) return true
  const after = Math.max(...steps.map(({ register, n }) => (isRemoval(register, n) ? (register.kind.after ?? 0) : 0)))
  if (after > 0) await sleep(after)
  for (const { register, n } of steps) acknowledge(register, n)
  return true
}

const withDiscardedNumber = ({ register, n }: Step): Step => ({ register, n: n + neverCommitted })

/** Runs one statement for each kind that is written, and one for each that is removed. */
async function apply(sql: Sql, steps: Step[]) {
  const groups = new Map<string, { kind: Kind; removes: boolean; steps: Step[] }>()
  for (const step of steps) {
    const { kind } = step.register
    const removes = isRemoval(step.register, step.n)
    const name = `${kind.name} ${removes}`
    const group = groups.get(name) ?? { kind, removes, steps: [] }
    groups.set(name, group)
    group.steps.push(step)
  }
  for (const { kind, removes, steps } of groups.values()) {
    const ids = steps.map(({ register }) => register.id)
    if (removes) await sql.unsafe(kind.remove!, [ids])
    else await sql.unsafe(kind.write!, [ids, steps.map(({ n }) => n)])
  }
}
