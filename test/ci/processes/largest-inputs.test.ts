// No input of permitted size keeps the event loop busy for long, so that no client delays the requests of others.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractSuite } from '../../support/contract-suite.ts'
import { app, id, old, web } from '../../support/data.ts'
import { insertLargest, largestInputs } from '../../support/largest-inputs.ts'
import { recordAttack } from '../../support/figures.ts'
import { recordOutput } from '../../support/log.ts'
import { measureBaseline, startMeasured } from '../../support/loop-cost.ts'
import { asService } from '../../support/workgate.ts'

// The least costs are at most 9 times the baseline. Without the limits of bodies, brackets cost 25 times as much, nested
// arrays 120 times, and short values up to 7,000 times.
const maxRatio = 20
// A first attempt can cost 18 times the baseline, because it compiles code, and garbage collection and a busy machine add
// to any attempt. One attempt within the limit shows that the input itself is cheap.
const maxAttempts = 20
const minAttempts = process.env['FIGURES'] === 'write' ? 5 : 1

const { workgate, key } = await contractSuite({ data: 'basic' })
const place = { key, project: web, task: id('task', 1), large: app, largeTask: id('task', 100), planned: old }
await insertLargest(workgate.sql, place)
const service = await startMeasured(asService(workgate.url), recordOutput)
after(service.close)
const baseline = Math.min(...Array.from({ length: 20 }, measureBaseline))

test('the baseline is a positive time', () => {
  assert.ok(baseline > 0 && Number.isFinite(baseline), `${baseline} ms`)
})

let costliest = 0

describe(`an input costs at most ${maxRatio} times as much as JSON.parse of 256 KiB of ordinary JSON:`, () => {
  for (const { name, status, request } of largestInputs) {
    test(name, async () => {
      let cost = Infinity
      for (
        let attempt = 1;
        attempt <= minAttempts || (attempt <= maxAttempts && cost > maxRatio * baseline);
        attempt++
      ) {
        const measured = await service.measure(request(place))
        assert.equal(measured.status, status)
        cost = Math.min(cost, measured.milliseconds)
      }
      costliest = Math.max(costliest, cost)
      assert.ok(Number.isFinite(cost) && cost <= maxRatio * baseline, `${(cost / baseline).toFixed(1)} times`)
    })
  }
})

after(() =>
  recordAttack(
    `The largest permitted inputs of ${largestInputs.length} kinds`,
    'limits on the nesting and the number of values keep each of them cheap',
    { 'the costliest, compared with parsing 256 KiB of ordinary JSON': `${(costliest / baseline).toFixed(1)} times` },
  ),
)
