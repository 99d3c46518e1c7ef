// No input of permitted size keeps the event loop busy for long, so that no client delays the requests of others.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'
import { insertLargest, largestInputs } from '../support/largest-inputs.ts'
import { recordOutput } from '../support/log.ts'
import { measureBaseline, startMeasured } from '../support/loop-cost.ts'
import { asService } from '../support/workgate.ts'

// Inputs now take up to 10 times as long as the baseline. Without the limits of bodies, nested arrays took 150 times as
// long, and short values 10,000 times.
const maxRatio = 20
const maxAttempts = 5

const { workgate, key } = await contractSuite({ data: 'basic' })
const place = { key, project: web, task: id('task', 1), large: app, largeTask: id('task', 100), planned: old }
await insertLargest(workgate.sql, place)
const service = await startMeasured(asService(workgate.url), recordOutput)
after(service.close)
let baseline = Infinity

describe(`an input costs at most ${maxRatio} times as much as JSON.parse of 256 KiB of ordinary JSON:`, () => {
  for (const { name, status, request } of largestInputs) {
    test(name, async () => {
      // Compiling and collecting garbage make some attempts more expensive.
      let cost = Infinity
      for (let attempt = 1; attempt <= maxAttempts && !(cost <= maxRatio * baseline); attempt++) {
        baseline = Math.min(baseline, measureBaseline())
        const measured = await service.measure(request(place))
        assert.equal(measured.status, status)
        cost = Math.min(cost, measured.milliseconds)
      }
      assert.ok(cost <= maxRatio * baseline, `${(cost / baseline).toFixed(1)} times`)
    })
  }
})
