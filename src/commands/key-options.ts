// Reads the options of workgate keys. An invalid value is reported with its option before it reaches the database.

import { operations } from '../api/access/key.ts'
import { isKeyName, nameRule } from '../api/access/key-text.ts'
import { exactMoment, isMoment, isUuid } from '../api/input/values.ts'
import { UsageError } from './command-context.ts'

type OptionValues = Readonly<Record<string, unknown>>

export const invalidOption = (option: string, rule: string, value: string) =>
  new UsageError(`${option} must be ${rule}, not "${value}"`)

/** The reader returns null for a missing option. */
function optionReader(name: string, rule: string, isValid: (value: string) => boolean) {
  return (options: OptionValues): string | null => {
    const value = options[name]
    if (typeof value !== 'string') return null
    if (!isValid(value)) throw invalidOption(`--${name}`, rule, value)
    return value
  }
}

function listOptionReader(name: string, rule: string, isValid: (value: string) => boolean) {
  const splitList = (value: string) => value.split(',').filter(Boolean)
  const read = optionReader(name, `a comma-separated list of ${rule}`, (value) => splitList(value).every(isValid))
  return (options: OptionValues): string[] | null => {
    const value = read(options)
    return value === null ? null : splitList(value)
  }
}

export const readProjects = listOptionReader('projects', 'project ids', (id) => isUuid(id.toLowerCase()))

export const readOperations = listOptionReader('operations', `${operations.join(', ')}`, (name) =>
  operations.some((operation) => operation === name),
)

export const readRateLimit = optionReader(
  'rate-limit',
  'an integer between 1 and 1000000',
  (value) => /^[1-9]\d{0,6}$/.test(value) && Number(value) <= 1_000_000,
)

const readMoment = optionReader(
  'expires',
  'a time such as 2027-01-31T00:00:00Z, or a date such as 2027-01-31',
  isMoment,
)

export function readExpires(options: OptionValues): string | null {
  const moment = readMoment(options)
  return moment && exactMoment(moment)
}

export function checkName(name: string): string {
  if (!isKeyName(name)) throw invalidOption('NAME', nameRule, name)
  return name
}
