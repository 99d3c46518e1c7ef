// Tests the text format of metrics, and merging the metrics of several processes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHistogram } from '../../src/runtime/metrics/histogram.ts'
import { formatMetrics, mergeMetrics, series, withoutGauges, type Metric } from '../../src/runtime/metrics/metrics.ts'
import { createRequestCounts } from '../../src/api/request-metrics.ts'
import { readMetrics } from '../support/prometheus.ts'
import { valuesOf } from '../support/values.ts'

const requests = (route: string, count: number): Metric => ({
  type: 'counter',
  name: 'requests_total',
  help: 'Requests.',
  samples: [[series('requests_total', { route }), count]],
})

const gauge = (name: string, value: number): Metric => ({
  type: 'gauge',
  name,
  help: 'A gauge.',
  samples: [[name, value]],
})

function histogramOf(...seconds: number[]): Metric {
  const histogram = createHistogram([0.1, 1])
  for (const one of seconds) histogram.observe(one)
  return {
    type: 'histogram',
    name: 'took_seconds',
    help: 'Time.',
    samples: histogram.samples('took_seconds', { a: 'b' }),
  }
}

// A strict parser must read back the same values.
test('labels and help can contain any characters', () => {
  const odd = 'a"b\\c\nd,e}f{g='
  const text = formatMetrics([{ ...requests(odd, 1), help: 'two\nlines and a \\' }])
  assert.ok(text.startsWith('# HELP requests_total two\\nlines and a \\\\\n'))
  assert.deepEqual(readMetrics(text).get('requests_total')!.samples[0]!.labels, { route: odd })
})

test('a histogram bucket counts the values up to its bound', () => {
  assert.equal(
    formatMetrics([histogramOf(0.1, 0.11, 1, 2)]),
    `# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{a="b",le="0.1"} 1
took_seconds_bucket{a="b",le="1"} 3
took_seconds_bucket{a="b",le="+Inf"} 4
took_seconds_sum{a="b"} 3.21
took_seconds_count{a="b"} 4
`,
  )
})

test('metrics of several processes are summed, or their minimum is used where a sum is meaningless', () => {
  const started = (at: number): Metric => ({ ...gauge('start_seconds', at), mergeBy: 'min' })
  const sum = mergeMetrics([
    [requests('/a', 1), histogramOf(0.05, 0.5), started(20)],
    [],
    [requests('/b', 2), histogramOf(0.5, 5), started(10)],
    [requests('/a', 4), gauge('only_here', 7)],
  ])
  assert.deepEqual(
    valuesOf(sum, 'samples'),
    [
      [['requests_total{route="/a"}', 5], ['requests_total{route="/b"}', 2]],
      histogramOf(0.05, 0.5, 0.5, 5).samples,
      [['start_seconds', 10]],
      [['only_here', 7]],
    ], // prettier-ignore
  )
  readMetrics(formatMetrics(sum))
})

test('counters and histograms of a process that has exited are kept, gauges are not', () => {
  const metrics = [requests('/a', 1), histogramOf(1), gauge('open', 3)]
  assert.deepEqual(withoutGauges(metrics), metrics.slice(0, 2))
})

test('unknown methods share one series', () => {
  const counted = createRequestCounts()
  for (let n = 0; n < 500; n++) {
    counted.begin()
    counted.end({
      method: `M${n}`,
      route: undefined,
      status: 401,
      durationMs: 1,
      code: 'UNAUTHENTICATED',
      key: undefined,
    })
  }
  const text = formatMetrics(counted.metrics())
  assert.match(text, /^workgate_http_requests_total\{method="other",route="none",status="401"\} 500$/m)
  assert.match(text, /^workgate_problems_total\{code="UNAUTHENTICATED"\} 500$/m)
  assert.doesNotMatch(text, /M\d/)
  readMetrics(text)
})
