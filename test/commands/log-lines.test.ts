// A line of the log is the JSON of its fields, whatever they contain.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../src/runtime/log.ts'

const values = [
  'plain text',
  '',
  'a "quoted" text',
  'a \\ and a / and a [bracket] ]',
  'line\nbreaks\r\tand\0zero\u007f',
  'ümlaut € 😀 \u2028',
  '\ud800 half a pair',
  1.5,
  -0,
  Number.NaN,
  true,
  null,
  undefined,
  ['a', undefined, 'b"'],
  { nested: { text: '"', none: undefined } },
  new Date(0),
]

test('a line is what JSON.stringify makes of its fields', () => {
  const lines: string[] = []
  const log = createLog('info', (line) => void lines.push(line), { worker: 'a "b"' })
  for (const value of values) log.info(String(value), { value, after: 1 })
  assert.equal(lines.length, values.length)
  for (const [n, value] of values.entries()) {
    const { time } = JSON.parse(lines[n]!) as { time: string }
    assert.equal(new Date(time).toISOString(), time)
    const fields = { time, level: 'info', message: String(value), worker: 'a "b"', value, after: 1 }
    assert.equal(lines[n], `${JSON.stringify(fields)}\n`)
  }
})
