// The parameters of a statement that the filters of a list set.

import type { Params, Value } from '../../db/statements/statement.ts'

/**
 * A filter sets the parameter of its name, null if it is absent, or several explicit ones: for these it yields an object,
 * whose names are added to its own.
 */
export type FilterValue = Value | Readonly<Partial<Record<Suffix, Value>>>

const suffixes = ['', 'Name', 'Names', 'OrNone', 'IsNone', 'IsFalse'] as const
type Suffix = (typeof suffixes)[number]

/** The parameters that a filter can set. */
export const filterParameters = (name: string) => suffixes.map((suffix) => name + suffix)

export function filterParams(filters: Readonly<Record<string, FilterValue>>): Params {
  const params: Record<string, Value> = {}
  for (const [name, value] of Object.entries(filters)) {
    if (isObject(value)) for (const suffix in value) params[name + suffix] = value[suffix as Suffix]!
    else params[name] = value
  }
  return params
}

const isObject = (value: FilterValue): value is Exclude<FilterValue, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True if a parameter is set by this filter and selects one value, or the rows without one. */
export const isOneValue = (name: string, parameter: string, value: Value | undefined): boolean =>
  [`${name}Name`, `${name}IsNone`].includes(parameter) ||
  (parameter === name && Array.isArray(value) && value.length === 1)
