// The percentiles of lead times are told by buckets of them: what is said of a bucket is close to all that is in it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freshDatabase } from '../support/workgate.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>

before(async () => {
  database = await freshDatabase()
})
after(() => database.drop())

test('whole seconds within 2 %, up to 30 years, and exact below 64 seconds', async () => {
  // Every second of the first day and more, and then samples a thousandth apart.
  const [found] = await database.sql`
    select
      count(distinct bucket)::int as buckets,
      max(seconds)::float8 as most,
      array_agg(seconds::text || ' s are told as ' || told) filter (where abs(told - seconds) > case when seconds < 64 then 0 else seconds * 0.02 end) as wrong
    from (
      select n::bigint as seconds from generate_series(0, 100000) n
      union all
      select (100000 * 1.001::float8 ^ n)::bigint from generate_series(1, 9220) n
    ) s
    cross join lateral workgate.lead_bucket(s.seconds) as bucket
    cross join lateral workgate.lead_in_bucket(bucket) as told`
  assert.ok(found!['buckets'] > 400 && found!['most'] > 1e9)
  assert.equal(found!['wrong'], null)
})
