// The own fields of tasks in words. Their names are those of programs, such as storyPoints.

import { count, formatDay, formatExactly, formatNumber, isDay } from './format.ts'

/** For sentences: "story points". Words in capital letters stay: "cost in EUR". */
export const fieldWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')

/** For labels: "Story points". */
export function fieldTitle(name: string): string {
  const words = fieldWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatExactly(value)
  const text = String(value)
  return isDay(text) ? formatDay(text) : text
}

type Unit = [one: string, many: string]

/** The words for what is counted, one and several of it: tasks, story points, or units of effort. */
export function unitOf(measure: string | null): Unit {
  if (measure === null) return ['task', 'tasks']
  const words = fieldWords(measure)
  return /[^sui]s$/.test(words) ? [words.slice(0, -1), words] : [`unit of ${words}`, `units of ${words}`]
}

/** Only a number if tasks are counted, which goes without saying. */
export const amountOf = (n: number, measure: string | null): string =>
  measure === null ? formatNumber(n) : count(n, ...unitOf(measure))

/** A sum of own fields, which have up to four decimals, without the errors of binary fractions. */
export const exactSum = (values: number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * 10_000), 0) / 10_000
