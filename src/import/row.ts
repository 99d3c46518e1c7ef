// A row of a CSV file, for formats: values by the name of their column. It remembers which columns were asked for, so
// that the others can be reported.

import { readClock, readDay, readMoment, type DateOrder } from './times.ts'
import { InvalidValue } from './invalid.ts'

export class Columns {
  readonly names: readonly string[]
  readonly used = new Set<string>()
  readonly dateOrder: DateOrder
  readonly #indexes = new Map<string, number[]>()

  constructor(names: readonly string[], dateOrder: DateOrder) {
    this.names = names
    this.dateOrder = dateOrder
    for (const [index, name] of names.entries()) {
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

  /** The columns that no format has asked for. */
  unused(): string[] {
    return [...new Set(this.names.filter((name) => name.trim() !== '' && !this.used.has(fold(name))))]
  }
}

/** Names of columns are compared regardless of case. */
export const fold = (name: string) => name.trim().toLowerCase()

/**
 * Reads a number with a decimal point or comma, or with separators of thousands. One separator before three digits can be
 * either. The text may not be in another notation that JavaScript knows, such as 0x10 or 1e3.
 */
function readNumber(text: string): number | { grouped: number; fraction: number } | undefined {
  if (/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text))
    return { grouped: Number(text.replace(/[.,]/, '')), fraction: Number(text.replace(',', '.')) }
  if (/^-?\d+(?:[.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'))
  const isGrouped = /^-?[1-9]\d{0,2}([., \u00a0\u202f])\d{3}(?:\1\d{3})*$/.test(text)
  return isGrouped ? Number(text.replaceAll(/[^-\d]/g, '')) : undefined
}

/** A cell may be the name of a property that every object inherits. */
export const own = <T>(choices: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(choices, name) ? choices[name] : undefined

export class Row {
  readonly #columns: Columns
  readonly #values: readonly string[]

  constructor(columns: Columns, values: readonly string[]) {
    this.#columns = columns
    this.#values = values
  }

  /** Undefined if the file has none of the columns, null if the first of them is empty. */
  text(...names: readonly string[]): string | null | undefined {
    return this.#find(names)?.value
  }

  /** The values of all columns of this name that are not empty. */
  all(name: string): string[] {
    return this.#columns
      .indexesOf(name)
      .map((index) => this.#values[index] ?? '')
      .filter((value) => value.trim() !== '')
  }

  /** The parts of all columns of this name. */
  list(name: string, separator: string): string[] | undefined {
    if (this.#columns.indexesOf(name).length === 0) return undefined
    const parts = this.all(name).flatMap((value) => value.split(separator))
    return parts.map((part) => part.trim()).filter((part) => part !== '')
  }

  /** The number, times `factor`, rounded to an integer. */
  integer(name: string, factor = 1): number | null | undefined {
    return this.#read([name], 'must be a number such as 1500 or 1.5', (text, column) => {
      const number = readNumber(text.trim())
      if (typeof number !== 'object') return number === undefined ? undefined : Math.round(number * factor)
      // Only in another unit, such as hours, can there be a fraction.
      if (factor === 1) return number.grouped
      throw new InvalidValue(column, text, `may be ${number.grouped} or ${number.fraction}: write one of them`)
    })
  }

  /** The seconds of a duration such as 1:30:00 or 1:30. */
  duration(name: string): number | null | undefined {
    return this.#read([name], 'must be a duration such as 1:30:00', (text) => {
      const [, hours, minutes, seconds = '0'] = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? []
      return hours === undefined ? undefined : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
    })
  }

  /** The day of one column with the time of another. Without a time, the start of the day. */
  momentOf(days: readonly string[], times: readonly string[]): string | null | undefined {
    const day = this.day(...days)
    return day && `${day}T${this.#read(times, 'must be a time of day', readClock) ?? '00:00:00'}`
  }

  day(...names: readonly string[]): string | null | undefined {
    return this.#read(names, 'must be a date', (text) => readDay(text, this.#columns.dateOrder))
  }

  moment(...names: readonly string[]): string | null | undefined {
    return this.#read(names, 'must be a time', (text) => readMoment(text, this.#columns.dateOrder))
  }

  /** A time that is only a part of a value of this column. */
  momentIn(name: string, part: string): string {
    return this.#convert(name, part, 'must contain a time', (text) => readMoment(text, this.#columns.dateOrder))
  }

  /** Looks a word up, regardless of case. */
  choice<T>(name: string, choices: Readonly<Record<string, T>>): T | null | undefined {
    const known = `must be one of ${Object.keys(choices).join(', ')}`
    return this.#read([name], known, (text) => own(choices, text.trim().toLowerCase()))
  }

  /** A value that every row must have. */
  required(...names: readonly string[]): string {
    const found = this.#find(names)
    if (found?.value == null) throw new InvalidValue(found?.name ?? names[0]!, '', 'is missing')
    return found.value
  }

  #find(names: readonly string[]): { name: string; value: string | null } | undefined {
    for (const name of names) {
      const [index] = this.#columns.indexesOf(name)
      if (index === undefined) continue
      const value = this.#values[index] ?? ''
      return { name: this.#columns.names[index]!, value: value.trim() === '' ? null : value }
    }
    return undefined
  }

  #read<T>(
    names: readonly string[],
    rule: string,
    read: (text: string, column: string) => T | undefined,
  ): T | null | undefined {
    const found = this.#find(names)
    if (!found || found.value === null) return found && null
    return this.#convert(found.name, found.value, rule, read)
  }

  #convert<T>(name: string, text: string, rule: string, read: (text: string, column: string) => T | undefined): T {
    const value = read(text, name)
    if (value === undefined) throw new InvalidValue(name, text, rule)
    if (value === 'ambiguous') throw new InvalidValue(name, text, 'may be two dates: use --dates dmy or --dates mdy')
    return value
  }
}
