// Registers: the things that responses show (a name, a count, whether a row exists), as numbers that only grow. A
// writer writes the next number and records when it was committed. So it is known which numbers a response may show: at
// least the one that was committed before its request, at most the last one that a transaction has started to write.

import type { Kind } from './kinds.ts'

export interface Register {
  kind: Kind
  /** The id of the row, or of its project. */
  id: string
  /** The number that was committed last, from which the next writer continues. */
  value: number
  /** True while a writer uses the register: each number is written by one transaction. */
  busy: boolean
  /** The highest number that is known to be committed: acknowledged, or shown in a response. */
  floor: number
  /** The last number that a transaction started to write. */
  ceiling: number
  /** The last odd number, which means that the row does not exist, and the last even one. */
  lastAbsent: number
  lastPresent: number
}

/** Values that a response may show instead of the number. */
export const absent = -1
export const present = -2
export const unknown = -3

/** Added to numbers that are rolled back, so that they are far from all others. */
export const neverCommitted = 100_000

export function createRegister(kind: Kind, id: string): Register {
  const first = kind.counts ? 0 : 2
  return { kind, id, value: first, busy: false, floor: first, ceiling: first, lastAbsent: -1, lastPresent: first }
}

export const isRemoval = (register: Register, n: number) => register.kind.remove !== undefined && n % 2 === 1

export function begin(register: Register, n: number): void {
  register.ceiling = n
  if (isRemoval(register, n)) register.lastAbsent = n
  else register.lastPresent = n
}

export function acknowledge(register: Register, n: number): void {
  register.value = n
  register.floor = Math.max(register.floor, n)
}

/** Returns whether a response may show the value, if `floor` was committed before its request. */
export function isPossible(value: number, floor: number, { ceiling, lastAbsent, lastPresent }: Register): boolean {
  if (value === unknown) return true
  if (value === absent) return lastAbsent >= floor
  if (value === present) return lastPresent >= floor
  return value >= floor && value <= ceiling
}

/** A value that a response shows is committed: all later responses must show it, or a later one. */
export function learn(register: Register, value: number, floor: number): void {
  if (value >= 0) register.floor = Math.max(register.floor, value)
  else if (value === absent && !isRemoval(register, floor)) register.floor = Math.max(register.floor, floor + 1)
  else if (value === present && isRemoval(register, floor)) register.floor = Math.max(register.floor, floor + 1)
}
