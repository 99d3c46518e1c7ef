// Generates the SQL of a list's sorts: the position of a row, the keyset condition and the order.

import { isDay, isMoment, priorities } from '../schema/values.ts'

/** An SQL expression and its type. Nulls sort last in both directions; a unique expression needs no id to break ties. */
export type Sort =
  | readonly [expression: string, type: SortType, property?: 'unique']
  | readonly [expression: string, type: 'date' | 'timestamptz', property: 'nullable']

/** Keyed by the value of the sort parameter; a leading "-" reverses the direction. */
export type Sorts = Readonly<Record<string, Sort>>

export type SortType = keyof typeof sortTypes

interface SortTypeRules {
  /** SQL for the value in a cursor. */
  toText(expression: string): string
  /** True if the value in a cursor can be cast to the type. */
  isValid(text: string): boolean
}

const castToText = (expression: string) => `${expression}::text`

export const sortTypes = {
  timestamptz: { toText: (expression) => `workgate.iso(${expression})`, isValid: isMoment },
  date: { toText: (expression) => `to_char(${expression}, 'YYYY-MM-DD')`, isValid: isDay },
  text: {
    toText: castToText,
    isValid: (text) => text.length <= 2_000 && !text.includes('\0') && text.isWellFormed(),
  },
  integer: { toText: castToText, isValid: (text) => isInteger(text, 32) },
  bigint: { toText: castToText, isValid: (text) => isInteger(text, 64) },
  'workgate.priority': { toText: castToText, isValid: (text) => priorities.some((priority) => priority === text) },
} satisfies Record<string, SortTypeRules>

function isInteger(text: string, bits: number): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text)
}

/**
 * The fragments {{position}}, {{keyset}} and {{order}}. Statements are planned with their parameter values, so the
 * planner drops the branches of all other sorts.
 */
export function sortSql(sorts: Sorts, id: string) {
  const positions = Object.entries(sorts).map(
    ([name, [expression, type]]) => `when '${name}' then ${sortTypes[type].toText(expression)}`,
  )
  const directions = Object.entries(sorts).flatMap(([name, sort]) => [
    { name, ...columnsOf(sort, id, 'infinity'), operator: '>', suffix: '' },
    { name: `-${name}`, ...columnsOf(sort, id, '-infinity'), operator: '<', suffix: ' desc' },
  ])
  const conditions = directions.map(
    ({ name, columns, values, operator }) =>
      `when '${name}' then (${columns.join(', ')}) ${operator} (${values.join(', ')})`,
  )
  const order = directions.flatMap(({ name, columns, suffix }) =>
    columns.map((column) => `case when :sort = '${name}' then ${column} end${suffix}`),
  )
  return {
    position: caseOf(`ltrim(:sort::text, '-')`, positions),
    keyset: `case when :afterId::uuid is null then true else ${caseOf(':sort::text', conditions)} end`,
    order: order.join(',\n  '),
  }
}

/** The columns to sort by, and their values in the last row of the previous page. */
function columnsOf([expression, type, property]: Sort, id: string, last: 'infinity' | '-infinity') {
  const orLast = (value: string) => (property === 'nullable' ? `coalesce(${value}, '${last}')` : value)
  const column = orLast(expression)
  const value = orLast(`:after::text::${type}`)
  return property === 'unique'
    ? { columns: [column], values: [value] }
    : { columns: [column, id], values: [value, ':afterId'] }
}

const caseOf = (value: string, branches: readonly string[]) => `case ${value}\n    ${branches.join('\n    ')}\n  end`
