// Generates moments and ranges for which a figure could be counted on an adjacent day: minutes from local midnight, and
// days on which the clocks change.

import { chooser } from '../support/random.ts'
import { addDays, daysBetween, startOf, today } from './oracle-days.ts'
import type { ProgressQuery, TimeQuery } from './oracle-ranges.ts'

export type Choice = ReturnType<typeof chooser>

export const zones = [
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/New_York',
  'America/Havana',
  'Asia/Kolkata',
  'Europe/Berlin',
  'Pacific/Chatham',
  'America/Santiago',
  'Africa/Cairo',
]

const first = addDays(today(), -365)
const last = addDays(today(), 60)
const dayMs = 86_400_000

const changesIn = (zone: string) =>
  Array.from({ length: daysBetween(first, last) }, (_, at) => addDays(first, at)).filter(
    (day) => startOf(zone, addDays(day, 1)) - startOf(zone, day) !== dayMs,
  )
const changeDays = new Map(zones.map((zone) => [zone, changesIn(zone)]))

const edges = [0, 0, -1, 1, -60_000, 60_000, 899_999, 900_000, -900_000]
const extremes = [
  '1901-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2019-06-30T22:00:00Z',
  '2199-12-31T23:59:59.999Z',
]

function dayNear(zone: string, { below, chance, pick }: Choice): string {
  const changes = changeDays.get(zone)!
  if (changes.length > 0 && chance(0.4)) return addDays(pick(changes), below(3) - 1)
  return addDays(first, below(daysBetween(first, last)))
}

export function moment(choice: Choice): Date {
  const { below, chance, pick } = choice
  if (chance(0.01)) return new Date(pick(extremes))
  const zone = pick(zones)
  return new Date(startOf(zone, dayNear(zone, choice)) + (chance(0.6) ? pick(edges) : below(dayMs)))
}

/** A zone and a range of its days: most rows, or a part that often starts or ends at a clock change. */
function range(choice: Choice) {
  const { below, chance, pick } = choice
  const timezone = pick(zones)
  if (chance(0.2)) return { timezone }
  const from = chance(0.2) ? addDays(first, -7) : dayNear(timezone, choice)
  const to = addDays(from, pick([1, 2, 7, 30, 45 + below(400)]))
  return chance(0.1) ? { to, timezone } : { from, to, timezone }
}

export const progressQuery = (choice: Choice): ProgressQuery => ({
  ...range(choice),
  ...(choice.chance(0.8) && { interval: choice.pick(['day', 'week', 'month'] as const) }),
  ...(choice.chance(0.4) && { leaveOutType: choice.pick(['epic', 'none', 'bug,none', 'bug,epic']) }),
  ...(choice.chance(0.4) && { measure: 'points' as const }),
})

export function timeQuery(choice: Choice, userIds: string[]): TimeQuery {
  const { timezone: _, ...days } = range(choice)
  return {
    ...days,
    ...(choice.chance(0.8) && { groupBy: choice.pick(['user', 'task', 'task', 'day', 'week', 'month'] as const) }),
    ...(choice.chance(0.3) && { billable: choice.pick(['true', 'false'] as const) }),
    ...(choice.chance(0.3) && { userId: [...new Set([choice.pick(userIds), ...choice.some(userIds, 5)])].join(',') }),
  }
}

export const spentOn = (choice: Choice) =>
  choice.chance(0.01) ? choice.pick(['1901-01-01', '2199-12-31']) : dayNear(choice.pick(zones), choice)

export const dueDate = ({ below }: Choice) => addDays(today(), below(7) - 3)
