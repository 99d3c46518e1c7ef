// A line of the log is the JSON of its fields, whatever they contain, and lines are written once per turn of the event
// loop.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLineBatch } from '../../src/runtime/line-batch.ts'
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

test('the lines of one turn are written at once and in order, and those of the next turn after them', async () => {
  const written: string[] = []
  const { add, flush } = createLineBatch((lines) => void written.push(lines))
  for (const line of ['1\n', '2\n']) add(line)
  await Promise.resolve().then(() => add('3\n'))
  assert.deepEqual(written, [])
  await nextTurn()
  add('4\n')
  flush()
  add('5\n')
  await nextTurn()
  await nextTurn()
  assert.deepEqual(written, ['1\n2\n3\n', '4\n', '5\n'])
})
