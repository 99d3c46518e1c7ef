// A row of a CSV file, for formats: values by the name of their column.

import type { Columns } from './columns.ts'
import { readClock, readDay, readMoment } from './times.ts'
import { InvalidValue } from './invalid.ts'
import type { OwnFields } from './objects.ts'
import { meaningsByValue } from './status-words.ts'
import type { StatusMeaning } from './words.ts'

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

function readTexts(text: string): string[] | undefined {
  if (!/^\[".*"\]$/s.test(text)) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

const plainNumber = /^-?\d+(?:\.\d+)?$/

/** A cell may be the name of a property that every object inherits. */
export const own = <T>(choices: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(choices, name) ? choices[name] : undefined

/** A number of a workbook has a decimal point and no separators of thousands. An error is a value such as #N/A. */
export type CellKind = 'number' | 'error'

export class Row {
  readonly #columns: Columns
  readonly #values: readonly string[]
  readonly #kinds: readonly CellKind[]

  /** `kinds` are those of the values that a workbook does not have as text. */
  constructor(columns: Columns, values: readonly string[], kinds: readonly CellKind[] = []) {
    this.#columns = columns
    this.#values = values
    this.#kinds = kinds
  }

  /** Undefined if the file has none of the columns, null if the first of them is empty. */
  text(...names: readonly string[]): string | null | undefined {
    return this.#find(names)?.value
  }

  /** The values of all columns of this name that are not empty. */
  all(name: string): string[] {
    return this.#columns
      .indexesOf(name)
      .map((index) => this.#valueAt(index).value)
      .filter((value) => value.trim() !== '')
  }

  /** The own fields that have columns. A list with a semicolon in a text is an array of JSON. */
  ownFields(): OwnFields | undefined {
    const names = this.#columns.ownFields()
    if (names.length === 0) return undefined
    return Object.fromEntries(names.map((name) => [name, this.ownField(`fields.${name}`)]))
  }

  /** A list if the file has several columns of this name. */
  ownField(column: string): OwnFields[string] {
    if (this.#columns.indexesOf(column).length > 1) return this.all(column)
    const text = this.text(column) ?? null
    return text === null ? null : (readTexts(text.trim()) ?? text)
  }

  /** The parts of all columns of this name. */
  list(name: string, separator: string): string[] | undefined {
    if (this.#columns.indexesOf(name).length === 0) return undefined
    const parts = this.all(name).flatMap((value) => value.split(separator))
    return parts.map((part) => part.trim()).filter((part) => part !== '')
  }

  /** The number, times `factor`, rounded to an integer. */
  integer(name: string, factor = 1): number | null | undefined {
    return this.read([name], 'must be a number such as 1500 or 1.5', (text, { column, index, isReplaced }) => {
      const isPlain = this.#kinds[index] === 'number' && !isReplaced && plainNumber.test(text)
      const number = isPlain ? Number(text) : readNumber(text.trim())
      const unit = factor * this.#columns.factorOf(index)
      if (typeof number !== 'object') return number === undefined ? undefined : Math.round(number * unit)
      // Only in another unit, such as hours, can there be a fraction.
      if (unit === 1) return number.grouped
      throw new InvalidValue(column, text, `may be ${number.grouped} or ${number.fraction}: write one of them`)
    })
  }

  /** The seconds of a duration such as 1:30:00 or 1:30. */
  duration(name: string): number | null | undefined {
    return this.read([name], 'must be a duration such as 1:30:00', (text) => {
      const [, hours, minutes, seconds = '0'] = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? []
      return hours === undefined ? undefined : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
    })
  }

  /** The day of one column with the time of another. Without a time, the start of the day. */
  momentOf(days: readonly string[], times: readonly string[]): string | null | undefined {
    const day = this.day(...days)
    return day && this.#counted(`${day}T${this.read(times, 'must be a time of day', readClock) ?? '00:00:00'}`)
  }

  day(...names: readonly string[]): string | null | undefined {
    return this.#readDate(names, 'must be a date', readDay)
  }

  moment(...names: readonly string[]): string | null | undefined {
    const moment = this.#readDate(names, 'must be a time', readMoment)
    return moment && this.#counted(moment)
  }

  /** A time of a column that is in UTC. */
  utcMoment(name: string): string | null | undefined {
    const moment = this.#readDate([name], 'must be a time', readMoment)
    return moment && (hasOffset(moment) ? moment : `${moment}Z`)
  }

  /** A time that is only a part of a value of this column. */
  momentIn(name: string, part: string): string {
    const [index = 0] = this.#columns.indexesOf(name)
    const moment = this.#dateIn(part, name, index, readMoment)
    if (moment === undefined) throw new InvalidValue(name, part, 'must contain a time')
    return this.#counted(moment)
  }

  /** Looks a word up, regardless of case. */
  choice<T>(name: string, choices: Readonly<Record<string, T>>): T | null | undefined {
    const known = `must be one of ${Object.keys(choices).join(', ')}`
    return this.read([name], known, (text) => own(choices, text.trim().toLowerCase()))
  }

  /** The meaning of a stage is there if --value says it. */
  stage(name: string): NamedStage | null | undefined {
    const found = this.#find([name])
    if (!found || found.value === null) return found && null
    const meaning = found.isReplaced ? own(meaningsByValue, found.value.toLowerCase()) : undefined
    return meaning ? { name: found.text, meaning } : { name: found.value }
  }

  requiredStage(name: string): NamedStage {
    return this.stage(name) ?? { name: this.required(name) }
  }

  /** A value that every row must have. */
  required(...names: readonly string[]): string {
    const found = this.#find(names)
    if (found?.value == null) throw new InvalidValue(found?.column ?? names[0]!, '', 'is missing')
    return found.value
  }

  /** An error about the value of a column. */
  invalid(name: string, rule: string): InvalidValue {
    const found = this.#find([name])
    return new InvalidValue(found?.column ?? name, found?.value ?? '', rule)
  }

  #find(names: readonly string[]): Found | undefined {
    for (const name of names) {
      const [index] = this.#columns.indexesOf(name)
      if (index === undefined) continue
      const { text, value, isReplaced } = this.#valueAt(index)
      const column = this.#columns.names[index]!
      return { column, index, text, value: value.trim() === '' ? null : value, isReplaced }
    }
    return undefined
  }

  #valueAt(index: number): { text: string; value: string; isReplaced: boolean } {
    const text = this.#values[index] ?? ''
    const replaced = this.#columns.valueFor(index, text)
    if (replaced === undefined && this.#kinds[index] === 'error') {
      const column = this.#columns.names[index]!
      throw new InvalidValue(
        column,
        text,
        `is an error of the sheet: correct it, or say what stands for it, such as --value "${column.trim()}:${text}="`,
      )
    }
    return { text, value: replaced ?? text, isReplaced: replaced !== undefined }
  }

  /** `rule` says what a value must be that `read` does not know. */
  read<T>(
    names: readonly string[],
    rule: string | ((found: Found) => string),
    read: (text: string, found: Found) => T | undefined,
  ): T | null | undefined {
    const found = this.#find(names)
    if (!found || found.value === null) return found && null
    const value = read(found.value, found)
    if (value === undefined)
      throw new InvalidValue(found.column, found.value, typeof rule === 'string' ? rule : rule(found))
    return value
  }

  #readDate(names: readonly string[], rule: string, read: typeof readDay): string | null | undefined {
    return this.read(names, rule, (text, { column, index }) => this.#dateIn(text, column, index, read))
  }

  #dateIn(text: string, column: string, index: number, read: typeof readDay): string | undefined {
    const order = this.#columns.orderOf(index)
    const value = read(text, order)
    if (value === 'ambiguous') throw new InvalidValue(column, text, 'may be two dates: use --dates dmy or --dates mdy')
    if (value === 'reversed')
      throw new InvalidValue(
        column,
        text,
        `must have the ${order === 'mdy' ? 'month' : 'day'} first, as the others in this column or --dates say`,
      )
    return value
  }

  #counted(moment: string): string {
    if (!hasOffset(moment)) this.#columns.localTimes++
    return moment
  }
}

const hasOffset = (moment: string) => /(?:Z|[+-]\d\d:\d\d)$/.test(moment)

export interface NamedStage {
  name: string
  meaning?: StatusMeaning
}

interface Found {
  /** As the file names it. */
  column: string
  index: number
  /** What the file says. */
  text: string
  /** What --value says instead, if it does. Null if there is nothing. */
  value: string | null
  isReplaced: boolean
}
