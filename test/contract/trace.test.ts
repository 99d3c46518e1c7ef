// W3C traceparent: valid ids are logged, and invalid headers are ignored.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'

const { workgate } = await contractSuite()

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const both = { traceId: trace, spanId: span }

// prettier-ignore
const cases: [claim: string, traceparent: string | string[], logged: object][] = [
  ['is logged as trace id and span id',            `00-${trace}-${span}-01`,               both],
  ['is logged if it is not sampled',               `00-${trace}-${span}-00`,               both],
  ['is logged with unknown flags',                 `00-${trace}-${span}-ff`,               both],
  ['is logged in a future version',                `cc-${trace}-${span}-01`,               both],
  ['is logged in a future version with more fields', `01-${trace}-${span}-01-what-else`,     both],
  ['is ignored in version 00 with more fields',    `00-${trace}-${span}-01-what-else`,     {}],
  ['is ignored in version 00 with a dash at the end', `00-${trace}-${span}-01-`,              {}],
  ['is ignored if more fields begin without a dash', `01-${trace}-${span}-01.what`,          {}],
  ['is ignored in version ff',                     `ff-${trace}-${span}-01`,               {}],
  ['is ignored with a trace of zeros',             `00-${'0'.repeat(32)}-${span}-01`,      {}],
  ['is ignored with a span of zeros',              `00-${trace}-${'0'.repeat(16)}-01`,     {}],
  ['is ignored with capitals in the trace',        `00-${trace.toUpperCase()}-${span}-01`, {}],
  ['is ignored with capitals in the span',         `00-${trace}-${span.toUpperCase()}-01`, {}],
  ['is ignored with capitals in the version',      `CC-${trace}-${span}-01`,               {}],
  ['is ignored with capitals in the flags',        `00-${trace}-${span}-0A`,               {}],
  ['is ignored with a letter that is not hex',     `00-${trace.replace('4', 'g')}-${span}-01`, {}],
  ['is ignored with a trace of 31 digits',         `00-${trace.slice(1)}-${span}-01`,      {}],
  ['is ignored with a span of 17 digits',          `00-${trace}-${span}0-01`,              {}],
  ['is ignored without flags',                     `00-${trace}-${span}`,                  {}],
  ['is ignored without a version',                 `${trace}-${span}-01`,                  {}],
  ['is ignored if it is empty',                    '',                                     {}],
  ['is ignored if it is sent twice',               [`00-${trace}-${span}-01`, `00-${trace}-${span}-01`], {}],
]

describe('traceparent', () => {
  for (const [claim, traceparent, expected] of cases) {
    test(claim, async () => {
      const { status, headers } = await workgate.send('GET //healthz', { headers: { traceparent } })
      const line = await workgate.logged(headers['x-request-id'])
      const { traceId, spanId } = line
      assert.deepEqual({ ...(traceId !== undefined && { traceId }), ...(spanId !== undefined && { spanId }) }, expected)
      assert.deepEqual([status, headers['traceparent']], [200, undefined])
      assert.ok(!Object.keys(expected).length || !JSON.stringify(line).includes('what'))
    })
  }
})
