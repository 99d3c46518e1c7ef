// The percentiles of lead times are told by buckets of them: what is said of a bucket is close to all that is in it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../src/analytics/range.ts'
import { projectOf } from '../support/flow.ts'
import { openWorkgate, type Workgate } from '../support/workgate.ts'

let workgate: Workgate
let key: string

before(async () => {
  workgate = await openWorkgate()
  key = await workgate.issueKey('reader')
})
after(() => workgate.close())

interface Bucket {
  bucket: number
  least: number
  most: number
}

/** Every second of the first day and more, and then samples a thousandth apart. */
const findBuckets = (sql: Workgate['sql']) => sql<Bucket[]>`
  select workgate.lead_bucket(s.seconds) as bucket, min(s.seconds)::float8 as least, max(s.seconds)::float8 as most
  from (
    select n::bigint as seconds from generate_series(0, 100000) n
    union all
    select (100000 * 1.001::float8 ^ n)::bigint from generate_series(1, 9220) n
  ) s
  group by 1
  order by 1`

test('whole seconds within 2 %, up to 30 years, and exact below 64 seconds', async () => {
  const buckets = await findBuckets(workgate.sql)
  assert.ok(buckets.length > 400 && buckets.at(-1)!.most > 1e9)
  // One of each, on a day of its own.
  const dayOf = (n: number) => addDays('2022-01-01', n)
  const tasks = buckets.map(({ least }, n) => {
    const completed = `${dayOf(n)}T12:00:00.000Z`
    return { created: new Date(Date.parse(completed) - least * 1000).toISOString(), completed }
  })
  const project = await projectOf(workgate.sql, tasks)
  for (const [n, { least, most }] of buckets.entries()) {
    const query = `from=${dayOf(n)}&to=${dayOf(n + 1)}`
    const { body } = await workgate.send(`GET /projects/${project}/analytics/progress?${query}`, { key })
    const { count, p50Seconds, meanSeconds } = body.data.leadTime
    assert.deepEqual([count, meanSeconds], [1, least])
    const [low, high] = least < 64 ? [most, least] : [most * 0.98, least * 1.02]
    const near = Number.isInteger(p50Seconds) && p50Seconds >= low && p50Seconds <= high
    assert.ok(near, `${p50Seconds} for ${least} to ${most}`)
  }
})
