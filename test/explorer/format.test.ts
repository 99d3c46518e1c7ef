// The explorer's sentences are English, and so are the numbers, days and times in them, whatever the language of the browser.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  formatAny,
  formatBetween,
  formatBytes,
  formatDay,
  formatDays,
  formatDuration,
  formatLongDay,
  formatNumber,
  formatShort,
} from '../../src/explorer/text/format.ts'

const source = 'src/explorer'
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

test('only text/format.ts formats, and text/zones.ts computes', () => {
  const formatting = files.filter((file) =>
    /\bIntl\.|\.toLocale|localeCompare/.test(readFileSync(join(source, file), 'utf8')),
  )
  assert.deepEqual(formatting.sort(), [join('text', 'format.ts'), join('text', 'zones.ts')])
})

test('text/format.ts names the language each time', () => {
  const uses = readFileSync(join(source, 'text/format.ts'), 'utf8').match(/(?:\bnew Intl\.\w+|\.toLocale\w+)\([^,)]*/g)!
  assert.ok(uses.length > 10)
  for (const use of uses) assert.match(use, /\((?:language|'sv')$/)
})

// prettier-ignore
const formatted: [text: string, expected: string][] = [
  [formatNumber(12_345.6),                         '12,345.6'],
  [formatShort(9_999), '9,999'],
  [formatBytes(1_234_567),                         '1.2 MB'],
  [formatDay('2001-03-09'),                        '9 Mar 2001'],
  [formatDays('2001-03-09', '2001-04-01'),         '9 Mar – 1 Apr 2001'],
  [formatLongDay('2001-03-09'),                    '9 March 2001'],
  [formatBetween('2001-03-09', '2001-03-20'),      '9 and 20 March 2001'],
  [formatBetween('2001-03-09', '2001-04-01'),      '9 March 2001 and 1 April 2001'],
  [formatDuration(3 * 86_400),                     '3 days'],
  [formatAny(['open', 'completed', 'cancelled']),  'open, completed or cancelled'],
]

for (const [text, expected] of formatted)
  test(`"${expected}" is English`, () => assert.equal(text.replace(/[\u2009\u202f\u00a0]/g, ' '), expected))
