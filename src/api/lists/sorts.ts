// Generates the SQL of a list's sorts: the position of a row, the keyset condition and the order.

import { isDay, isMoment, priorities } from '../input/values.ts'

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

const ascending = { sign: '', suffix: '', after: '>', until: '<=', last: 'infinity', furthest: 'max' } as const
const descending = { sign: '-', suffix: ' desc', after: '<', until: '>=', last: '-infinity', furthest: 'min' } as const

/**
 * The fragments {{position}} (of a row), {{positionText}} (of "position", for the cursor), {{keyset}} and {{order}}. They
 * consist of a part for each value of the parameter :sort. The columns `ids` break ties. For merge-projects.sql, also
 * {{pageEnd}}, the last position of its first rows if they fill a page, and {{untilPageEnd}}.
 */
export function sortSql(sorts: Sorts, ids: readonly string[]) {
  const directions = Object.entries(sorts).flatMap(([name, sort]) =>
    [ascending, descending].map((direction) => ({
      ...direction,
      name: direction.sign + name,
      sort,
      ...columnsOf(sort, ids, direction.last),
    })),
  )
  const partOf = (name: string, sql: string) => `{{#sort.${name}}}${sql}{{/sort.${name}}}`
  const forEach = (toSql: (direction: (typeof directions)[number]) => string, without = '') =>
    directions.map((direction) => partOf(direction.name, toSql(direction))).join('') +
    (without && `{{^sort}}${without}{{/sort}}`)
  return {
    position: forEach(({ sort: [expression] }) => expression, 'null::text'),
    positionText: forEach(({ sort: [, type] }) => sortTypes[type].toText('position'), 'position'),
    keyset: `{{#afterId}}and ${forEach(
      ({ columns, values, after }) => `(${columns.join(', ')}) ${after} (${values.join(', ')})`,
    )}{{/afterId}}`,
    order: forEach(({ columns, suffix }) => columns.map((column) => column + suffix).join(', '), ids.join(', ')),
    pageEnd: forEach(
      ({ furthest, last }) =>
        `case when count(*) > :limit then ${furthest}(coalesce(position, '${last}')) else '${last}' end`,
    ),
    untilPageEnd: forEach(({ columns: [column], until }) => `and ${column} ${until} project.page_end`),
  }
}

export type SortSql = ReturnType<typeof sortSql>

/** The columns to sort by, and their values in the last row of the previous page. */
function columnsOf([expression, type, property]: Sort, ids: readonly string[], last: 'infinity' | '-infinity') {
  const orLast = (value: string) => (property === 'nullable' ? `coalesce(${value}, '${last}')` : value)
  const column = orLast(expression)
  const value = orLast(`:after::text::${type}`)
  return property === 'unique'
    ? { columns: [column], values: [value] }
    : {
        columns: [column, ...ids],
        values: [value, ...ids.map((_, n) => `split_part(:afterId::text, ',', ${n + 1})::uuid`)],
      }
}
