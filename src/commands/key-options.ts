// Reads the options of workgate keys. An invalid value is reported with its option before it reaches the database.

import { operations } from '../api/access/key.ts'
import { isKeyName, nameRule } from '../api/access/key-text.ts'
import { projectNamePattern } from '../api/input/object-names.ts'
import { exactMoment, isMoment } from '../api/input/values.ts'
import { UsageError } from './command-context.ts'

type OptionValues = Readonly<Record<string, unknown>>

export const invalidOption = (option: string, rule: string, value: string) =>
  new UsageError(`${option} must be ${rule}, not "${value}"`)

/** Returns null for a missing option. */
function readOption(options: OptionValues, name: string, rule: string, isValid: (value: string) => boolean) {
  const value = options[name]
  if (typeof value !== 'string') return null
  if (!isValid(value)) throw invalidOption(`--${name}`, rule, value)
  return value
}

function readList(options: OptionValues, name: string, rule: string, isValid: (item: string) => boolean) {
  const split = (text: string) => text.split(',').filter(Boolean)
  const areValid = (text: string) => split(text).every(isValid)
  const value = readOption(options, name, `a comma-separated list of ${rule}`, areValid)
  return value === null ? null : split(value)
}

export const readProjects = (options: OptionValues) =>
  readList(options, 'projects', 'project keys or ids', (name) => projectNamePattern.test(name))

export const readOperations = (options: OptionValues) =>
  readList(options, 'operations', operations.join(', '), (name) => operations.some((operation) => operation === name))

export function readRateLimit(options: OptionValues): string | null {
  const isValid = (value: string) => /^[1-9]\d{0,6}$/.test(value) && Number(value) <= 1_000_000
  return readOption(options, 'rate-limit', 'an integer between 1 and 1000000', isValid)
}

export function readExpires(options: OptionValues): string | null {
  const rule = 'a time such as 2027-01-31T00:00:00Z, or a date such as 2027-01-31'
  const moment = readOption(options, 'expires', rule, isMoment)
  return moment && exactMoment(moment)
}

export function checkName(name: string): string {
  if (!isKeyName(name)) throw invalidOption('NAME', nameRule, name)
  return name
}
