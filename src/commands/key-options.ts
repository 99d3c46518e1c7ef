// What the options of workgate keys take. A wrong one is told by its name, before the database sees it.

import { operations } from '../api/access/key.ts'
import { exactMoment, isMoment, isUuid } from '../api/schema/values.ts'
import { UsageError } from './host.ts'

type Given = Readonly<Record<string, unknown>>

export const wrong = (option: string, takes: string, value: string) =>
  new UsageError(`${option} takes ${takes}, not "${value}"`)

/** Null where it is not given. */
function option(name: string, takes: string, isRight: (value: string) => boolean) {
  return (given: Given): string | null => {
    const value = given[name]
    if (typeof value !== 'string') return null
    if (!isRight(value)) throw wrong(`--${name}`, takes, value)
    return value
  }
}

function listOption(name: string, takes: string, isRight: (value: string) => boolean) {
  const words = (value: string) => value.split(',').filter(Boolean)
  const read = option(name, `${takes}, separated by commas`, (value) => words(value).every(isRight))
  return (given: Given): string[] | null => {
    const value = read(given)
    return value === null ? null : words(value)
  }
}

export const readProjects = listOption('projects', 'ids of projects', (id) => isUuid(id.toLowerCase()))

export const readOperations = listOption('operations', `any of ${operations.join(', ')}`, (word) =>
  operations.some((operation) => operation === word),
)

export const readRateLimit = option(
  'rate-limit',
  'a whole number from 1 to 1000000',
  (value) => /^[1-9]\d{0,6}$/.test(value) && Number(value) <= 1_000_000,
)

const readMoment = option('expires', 'a time such as 2027-01-31T00:00:00Z, or a date such as 2027-01-31', isMoment)

export function readExpires(given: Given): string | null {
  const moment = readMoment(given)
  return moment && exactMoment(moment)
}

export function checkName(name: string): string {
  if (!/^\S(.{0,98}\S)?$/u.test(name)) throw wrong('NAME', '1 to 100 characters without spaces around them', name)
  return name
}
