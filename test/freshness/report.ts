// Prints the report of a check.

import type { Report } from './check.ts'

export function print({ total, counts, done, seconds }: Report): void {
  const line = (label: string, { checked, newer, notModified }: Report['total']) =>
    console.log(
      `${String(checked).padStart(8)} ${String(newer).padStart(8)} ${String(notModified).padStart(8)}  ${label}`,
    )
  console.log(' checked    newer      304  (newer: could not equal the previous response)')
  for (const [route, count] of Object.entries(counts)) line(`GET ${route}`, count)
  line(`in ${seconds.toFixed(1)} s: ${Math.round(total.checked / seconds)}/s`, total)
  const operations = Object.entries(done).map(([name, times]) => `${name} ${times}`)
  console.log(`done: ${operations.join(', ')}`)
}
