// Generates the SQL of a list's sorts: the sort key of a row, the keyset condition and the order.

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

const ascending = { suffix: '', after: '>', until: '<=', last: 'infinity', furthest: 'max' }
const descending = { suffix: ' desc', after: '<', until: '>=', last: '-infinity', furthest: 'min' }

/** Returns the sort without its direction. */
export const sortOf = (sorts: Sorts, name: string): Sort => sorts[name.replace('-', '')]!

/**
 * The fragments of a sort: {{sortKey}} (of a row), {{sortKeyText}} (of "sort_key", for the cursor), {{keyset}},
 * {{order}}, and {{last}}, which replaces null in columns that can be null. The columns `ids` break ties. For
 * merge-projects.sql, also {{pageEnd}}, the last sort key of its first rows if they fill a page, and {{untilPageEnd}}.
 */
export function sortFragments(sorts: Sorts, ids: readonly string[], name: string) {
  const { suffix, after, until, last, furthest } = name.startsWith('-') ? descending : ascending
  const [expression, type, property] = sortOf(sorts, name)
  const orLast = (value: string) => (property === 'nullable' ? `coalesce(${value}, '${last}')` : value)
  const tieBreakers = property === 'unique' ? [] : ids
  const columns = [orLast(expression), ...tieBreakers]
  const values = [
    orLast(`:after::text::${type}`),
    ...tieBreakers.map((_, n) => `split_part(:afterId::text, ',', ${n + 1})::uuid`),
  ]
  return {
    sortKey: expression,
    sortKeyText: sortTypes[type].toText('sort_key'),
    keyset: `{{#afterId}}and (${columns.join(', ')}) ${after} (${values.join(', ')}){{/afterId}}`,
    order: columns.map((column) => column + suffix).join(', '),
    last,
    pageEnd: `case when count(*) > :limit then ${furthest}(coalesce(sort_key, '${last}')) else '${last}' end`,
    untilPageEnd: `and ${columns[0]} ${until} project.page_end`,
  }
}

/** The fragments of a statement that finds one row. */
export const noSort = (ids: readonly string[]): ReturnType<typeof sortFragments> => ({
  sortKey: 'null::text',
  sortKeyText: 'sort_key',
  keyset: '',
  order: ids.join(', '),
  last: 'infinity',
  pageEnd: '',
  untilPageEnd: '',
})
