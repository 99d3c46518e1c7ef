// Own fields in words: names, values, changes in the history and filters in the address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filtersOf } from '../../src/explorer/tasks/filters.ts'
import { amountOf, exactSum, fieldTitle, fieldWords, valueWords } from '../../src/explorer/text/own-fields.ts'

// prettier-ignore
const names: [name: string, words: string, title: string][] = [
  ['storyPoints',   'story points',  'Story points'],
  ['sprint',        'sprint',        'Sprint'],
  ['costInEUR',     'cost in EUR',   'Cost in EUR'],
  ['costInEURCents', 'cost in EUR cents', 'Cost in EUR cents'],
  ['q3Target',      'q3 target',     'Q3 target'],
  ['constructor',   'constructor',   'Constructor'],
]
for (const [name, words, title] of names)
  test(`${name} is "${words}"`, () => assert.deepEqual([fieldWords(name), fieldTitle(name)], [words, title]))

// prettier-ignore
const values: [value: unknown, words: string][] = [
  [true,                    'Yes'],
  [false,                   'No'],
  [0,                       '0'],
  [1_234.5678,              '1,234.5678'],
  ['2001-03-09',            '9 Mar 2001'],
  ['2001-02-30',            '2001-02-30'],
  ['2001-13-01',            '2001-13-01'],
  ['2001-03-09, or later',  '2001-03-09, or later'],
  ['',                      ''],
  [['a', 'b'],              'a, b'],
]
for (const [value, words] of values)
  test(`the value ${JSON.stringify(value)} is "${words}"`, () => assert.equal(valueWords(value), words))

// prettier-ignore
const filters: [query: string, label: string, value: string][] = [
  ['fields.sprint=Sprint 3',                       'Sprint',       'Sprint 3'],
  ['fields.sprint=One, two&fields.sprint=Three',   'Sprint',       'One, two or Three'],
  ['fields.storyPoints>=5',                        'Story points', 'at least 5'],
  ['fields.storyPoints<=8',                        'Story points', 'at most 8'],
  ['fields.constructor=1',                         'Constructor',  '1'],
  ['fields.not a name=1',                          'fields.not a name', '1'],
]
for (const [query, label, value] of filters)
  test(`the filter ${query} is one chip, "${label} ${value}"`, () => {
    const shown = filtersOf(new URLSearchParams(query), {} as Parameters<typeof filtersOf>[1])
    assert.deepEqual(shown.map(({ label, value }) => [label, value]), [[label, value]]) // prettier-ignore
  })

// prettier-ignore
const amounts: [n: number, measure: string | null, words: string][] = [
  [1_234,    null,          '1,234'],
  [1,        'storyPoints', '1 story point'],
  [1.001,    'storyPoints', '1 story point'],
  [2.5,      'storyPoints', '2.5 story points'],
  [12.3456,  'effort',      '12.35 units of effort'],
  [1,        'progress',    '1 unit of progress'],
]
for (const [n, measure, words] of amounts)
  test(`${n} of ${measure ?? 'tasks'} is "${words}"`, () => assert.equal(amountOf(n, measure), words))

test('sums have no errors of binary fractions', () => {
  assert.ok(Object.is(exactSum([0.1, 0.2, -0.3]), 0))
  assert.equal(exactSum([0.0001, 1_000_000_000]), 1_000_000_000.0001)
})
