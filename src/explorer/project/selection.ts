// What the address says about the figures of progress: the field that they sum, and the types that they leave out.

import type { Overview } from '../api/types.ts'
import { formatAll } from '../text/format.ts'

export interface Selection {
  /** An own field that is summed. Without it, tasks are counted. */
  measure: string | undefined
  /** With "none" for tasks without a type. */
  leftOut: string[]
}

export const selectionOf = (query: URLSearchParams): Selection => ({
  measure: query.get('measure') || undefined,
  leftOut: (query.get('leaveOutType') ?? '').toLowerCase().split(',').filter(Boolean),
})

/** Such as "leaving out epic and tasks without a type". Empty if nothing is left out. */
export function leavingOut(leftOut: string[]): string {
  const types = leftOut.filter((type) => type !== 'none')
  const all = leftOut.includes('none') ? [...types, 'tasks without a type'] : types
  return all.length === 0 ? '' : `leaving out ${formatAll(all)}`
}

type Types = Overview['byType']

export const hasTypes = ({ items }: Types): boolean => items.some(({ type }) => type !== null)

/** As the API names them in filters. */
export const typeNames = ({ items }: Types): string[] => items.map(({ type }) => type ?? 'none')

/** The filter for lists of the tasks that count. Undefined if all do, or if there are more types than the API names. */
export const countedTypes = (types: Types | undefined, { leftOut }: Selection): string | undefined =>
  types === undefined || leftOut.length === 0 || types.other.types > 0
    ? undefined
    : typeNames(types)
        .filter((type) => !leftOut.includes(type))
        .join(',')
