// W3C traceparent: what of it is in the log, and what is as if nothing had been sent.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'

const { workgate } = await contractSuite()

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const both = { traceId: trace, spanId: span }

// prettier-ignore
const cases: [claim: string, traceparent: string | string[], logged: object][] = [
  ['names the trace and the span of the sender',   `00-${trace}-${span}-01`,               both],
  ['counts where it is not sampled',               `00-${trace}-${span}-00`,               both],
  ['counts with flags that are not known',         `00-${trace}-${span}-ff`,               both],
  ['counts in a version to come',                  `cc-${trace}-${span}-01`,               both],
  ['counts in a version to come that says more',   `01-${trace}-${span}-01-what-else`,     both],
  ['of version 00 does not say more',              `00-${trace}-${span}-01-what-else`,     {}],
  ['of version 00 does not end with a dash',       `00-${trace}-${span}-01-`,              {}],
  ['of a version to come is cut at a dash',        `01-${trace}-${span}-01.what`,          {}],
  ['has no version ff',                            `ff-${trace}-${span}-01`,               {}],
  ['has no trace of zeros',                        `00-${'0'.repeat(32)}-${span}-01`,      {}],
  ['has no span of zeros',                         `00-${trace}-${'0'.repeat(16)}-01`,     {}],
  ['has no capitals in the trace',                 `00-${trace.toUpperCase()}-${span}-01`, {}],
  ['has no capitals in the span',                  `00-${trace}-${span.toUpperCase()}-01`, {}],
  ['has no capitals in the version',               `CC-${trace}-${span}-01`,               {}],
  ['has no capitals in the flags',                 `00-${trace}-${span}-0A`,               {}],
  ['has hex digits only',                          `00-${trace.replace('4', 'g')}-${span}-01`, {}],
  ['has a trace of 32 digits, not of 31',          `00-${trace.slice(1)}-${span}-01`,      {}],
  ['has a span of 16 digits, not of 17',           `00-${trace}-${span}0-01`,              {}],
  ['has flags',                                    `00-${trace}-${span}`,                  {}],
  ['has a version',                                `${trace}-${span}-01`,                  {}],
  ['is something',                                 '',                                     {}],
  ['is there once',                                [`00-${trace}-${span}-01`, `00-${trace}-${span}-01`], {}],
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
