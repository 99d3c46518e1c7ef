// Story points of a file of Jira: the burn-up equals the sums that are computed from the rows of the file, in all weeks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { chooser } from '../support/random.ts'
import { createImporter } from './importing.ts'

const { workgate, get } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const dayMs = 86_400_000
/** Monday. */
const first = Date.parse('2026-01-05')
const weeks = 30
const { below, maybe, pick, times } = chooser(67)

const issues = times(300, (n) => {
  const created = below(weeks * 7 - 1)
  return {
    key: `WEB-${n + 1}`,
    type: pick(['Story', 'Bug', 'Epic']),
    points: maybe(0.8, () => pick([0.5, 1, 2, 3, 5, 8, 13])),
    created,
    ended: maybe(0.6, () => created + below(weeks * 7 - created)),
    status: pick(['Done', 'Done', 'Cancelled']),
  }
})
const timeOf = (day: number) => `${new Date(first + day * dayMs).toISOString().slice(0, 10)} 12:00`
const file = [
  'Summary,Issue key,Issue id,Issue Type,Status,Project key,Project name,Created,Resolved,Custom field (Story Points)',
  ...issues.map(({ key, type, points, created, ended, status }, n) =>
    [`Issue ${n}`, key, n + 1, type, ended === null ? 'To Do' : status, 'WEB', 'Web', timeOf(created), ended === null ? '' : timeOf(ended), points === null ? '' : points.toFixed(1)].join(','),
  ),
].join('\n') // prettier-ignore

const sum = (chosen: typeof issues) => chosen.reduce((total, { points }) => total + (points ?? 0), 0)

for (const leftOut of [undefined, 'epic'])
  test(`every week has the sums of the file${leftOut ? `, without the type ${leftOut}` : ''}`, async () => {
    const { error } = await importText('jira.csv', file)
    assert.equal(error, undefined)
    const [from, to] = [0, weeks * 7].map((day) => timeOf(day).slice(0, 10))
    const { status, body } = await get(
      `/projects/WEB/analytics/progress?from=${from}&to=${to}&interval=week&measure=storyPoints${leftOut ? `&leaveOutType=${leftOut}` : ''}`,
    )
    assert.equal(status, 200, JSON.stringify(body))
    const counted = issues.filter(({ type }) => type.toLowerCase() !== leftOut)
    const expected = times(weeks, (week) => {
      const by = (7 * (week + 1)) as number
      const done = sum(counted.filter(({ ended, status }) => ended !== null && ended < by && status === 'Done'))
      const cancelled = sum(
        counted.filter(({ ended, status }) => ended !== null && ended < by && status === 'Cancelled'),
      )
      const scope = sum(counted.filter(({ created }) => created < by)) - cancelled
      return { scope, done, remaining: scope - done }
    })
    const found = body.data.series.map(({ scope, done, remaining }: Record<string, number>) => ({
      scope,
      done,
      remaining,
    }))
    assert.deepEqual(found, expected)
    assert.ok(expected.at(-1)!.done > 100)
  })
