// What there is to see, as numbers that only grow. A register is one thing that answers show (a name, a count, whether a row is
// there). Writers put the next number into the data, and know when they did; so it is known of each answer which numbers it
// may show: none below what was committed before it was asked for, none that nobody has begun to write.

import type { Kind } from './kinds.ts'

export interface Register {
  kind: Kind
  /** Of the row, or of the project that it belongs to. */
  id: string
  /** The number that the last writer committed, from which the next one goes on. */
  value: number
  /** Held by a writer: each number is written by one transaction. */
  busy: boolean
  /** What was committed for certain: acknowledged, or shown in an answer. */
  floor: number
  /** What somebody began to commit. */
  ceiling: number
  /** The same of odd numbers, which stand for "not there", and of even ones. */
  lastGone: number
  lastThere: number
}

/** What an answer may show of a register in place of its number. */
export const absent = -1
export const present = -2
export const unknown = -3

/** A number as far from all others, for what is written and rolled back. */
export const neverCommitted = 100_000

export function createRegister(kind: Kind, id: string): Register {
  const first = kind.counts ? 0 : 2
  return { kind, id, value: first, busy: false, floor: first, ceiling: first, lastGone: -1, lastThere: first }
}

export const isDisconnected = (register: Register, n: number) => register.kind.remove !== undefined && n % 2 === 1

export function begin(register: Register, n: number): void {
  register.ceiling = n
  if (isDisconnected(register, n)) register.lastGone = n
  else register.lastThere = n
}

export function acknowledge(register: Register, n: number): void {
  register.value = n
  register.floor = Math.max(register.floor, n)
}

/** Whether an answer may show this, asked for when so much was committed. */
export function isPossible(shown: number, floor: number, { ceiling, lastGone, lastThere }: Register): boolean {
  if (shown === unknown) return true
  if (shown === absent) return lastGone >= floor
  if (shown === present) return lastThere >= floor
  return shown >= floor && shown <= ceiling
}

/** What was shown was committed: whoever asks from now on must see it, too. */
export function learn(register: Register, shown: number, floor: number): void {
  if (shown >= 0) register.floor = Math.max(register.floor, shown)
  else if (shown === absent && !isDisconnected(register, floor)) register.floor = Math.max(register.floor, floor + 1)
  else if (shown === present && isDisconnected(register, floor)) register.floor = Math.max(register.floor, floor + 1)
}
