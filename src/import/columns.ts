// The columns of a table: their names, the order of their dates, the values to replace, and which of them a format has asked
// for, so that the others can be reported.

import { fieldNamePattern } from '../api/input/object-names.ts'
import { orderIn, type DateOrder } from './times.ts'

/** The values that replace others, by the folded column and the folded value. */
export type Replacements = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface ColumnOptions {
  /** The value of --dates. */
  dateOrder?: DateOrder
  values?: Replacements
}

export class Columns {
  readonly names: readonly string[]
  readonly used = new Set<string>()
  /** The times without an offset. */
  localTimes = 0
  readonly #indexes = new Map<string, number[]>()
  readonly #orders: DateOrder[]
  readonly #factors: readonly number[]
  readonly #values: Replacements
  readonly #ownFields: string[]

  /**
   * `rows` are the first ones. `keys` are the names by which the format asks for the columns, if not by those of the file,
   * and the numbers in a column are in units of its factor.
   */
  constructor(
    names: readonly string[],
    rows: readonly (readonly string[])[] = [],
    { dateOrder, values = new Map() }: ColumnOptions = {},
    keys = names,
    factors: readonly number[] = [],
  ) {
    this.names = names
    this.#values = values
    this.#factors = factors
    this.#ownFields = keys.flatMap((key) => ownFieldOf(key) ?? [])
    this.#orders = names.map((_, index) => dateOrder ?? orderIn(rows.map((row) => row[index] ?? '')))
    for (const [index, name] of keys.entries()) {
      const key = fold(name)
      const indexes = this.#indexes.get(key)
      if (indexes) indexes.push(index)
      else this.#indexes.set(key, [index])
    }
  }

  /** Several columns can have the same name. */
  indexesOf(name: string): readonly number[] {
    const key = fold(name)
    const indexes = this.#indexes.get(key) ?? []
    if (indexes.length > 0) this.used.add(key)
    return indexes
  }

  /** The names of the own fields that have a column, such as storyPoints for fields.storyPoints. */
  ownFields(): string[] {
    return this.#ownFields
  }

  /** The columns that no format has asked for. */
  unused(): string[] {
    const used = new Set([...this.used].flatMap((key) => this.#indexes.get(key) ?? []))
    return [...new Set(this.names.filter((name, index) => name.trim() !== '' && !used.has(index)))]
  }

  orderOf = (index: number): DateOrder => this.#orders[index]
  factorOf = (index: number): number => this.#factors[index] ?? 1

  /** The value that replaces this one. */
  valueFor(index: number, text: string): string | undefined {
    return this.#values.get(fold(this.names[index]!))?.get(fold(text))
  }
}

/** The name of an own field, which stands after "fields." */
export function ownFieldOf(field: string): string | undefined {
  const [, name] = /^fields\.(.*)$/.exec(field.trim()) ?? []
  return name !== undefined && fieldNamePattern.test(name) ? name : undefined
}

/** Names of columns are compared regardless of case. */
export const fold = (name: string) => name.trim().toLowerCase()
