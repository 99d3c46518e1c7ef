// Percentiles of lead times are computed from buckets: the value of a bucket is close to every lead time in it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suiteDatabase } from '../support/suite-database.ts'

const database = await suiteDatabase()

test('lead times up to 30 years are accurate to within 2%, and exact below 64 seconds', async () => {
  // Every second of the first 100,000, then samples 0.1% apart.
  const [found] = await database.sql`
    select
      count(distinct bucket)::int as buckets,
      max(seconds)::float8 as most,
      array_agg(seconds::text || ' s are reported as ' || reported) filter (where abs(reported - seconds) > case when seconds < 64 then 0 else seconds * 0.02 end) as wrong
    from (
      select n::bigint as seconds from generate_series(0, 100000) n
      union all
      select (100000 * 1.001::float8 ^ n)::bigint from generate_series(1, 9220) n
    ) s
    cross join lateral workgate.lead_bucket(s.seconds) as bucket
    cross join lateral workgate.lead_in_bucket(bucket) as reported`
  assert.ok(found!['buckets'] > 400 && found!['most'] > 1e9)
  assert.equal(found!['wrong'], null)
})
