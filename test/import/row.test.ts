// Numbers in the cells of CSV files.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Columns } from '../../src/import/columns.ts'
import { Row } from '../../src/import/row.ts'

const columns = new Columns(['n'])
const integer = (text: string, factor?: number) => new Row(columns, [text]).integer('n', factor)

// prettier-ignore
const numbers: [text: string, factor: number, expected: number | null][] = [
  ['',             1,     null],
  ['0',            1,     0],
  [' 28800 ',      1,     28_800],
  ['-5',           1,     -5],
  ['1.5',          3_600, 5_400],
  ['1,5',          3_600, 5_400],
  ['1.50',         3_600, 5_400],
  ['2.0',          1,     2],
  ['0.125',        3_600, 450],
  ['1.33333',      3_600, 4_800],
  ['28,800',       1,     28_800],
  ['28.800',       1,     28_800],
  ['28 800',       1,     28_800],
  ['28\u00a0800',  1,     28_800],
  ['28\u202f800',  1,     28_800],
  ['1,234,567',    1,     1_234_567],
  ['1.234.567',    3_600, 4_444_441_200],
  ['1 200',        3_600, 4_320_000],
]

// prettier-ignore
const refused: [text: string, factor: number, rule: RegExp][] = [
  ['0x10',       1,     /^must be a number such as 1500 or 1\.5$/],
  ['1e3',        1,     /^must be a number/],
  ['Infinity',   1,     /^must be a number/],
  ['much',       1,     /^must be a number/],
  ['28,80,0',    1,     /^must be a number/],
  ['1,234.567',  1,     /^must be a number/],
  ['1,234 567',  1,     /^must be a number/],
  ['1 5',        1,     /^must be a number/],
  ['1.',         1,     /^must be a number/],
  ['.5',         1,     /^must be a number/],
  ['1.500',      3_600, /^may be 1500 or 1\.5: write one of them$/],
  ['28,800',     60,    /^may be 28800 or 28\.8: /],
]

describe('a number in a cell', () => {
  for (const [text, factor, expected] of numbers)
    test(`${JSON.stringify(text)} times ${factor} is ${expected}`, () => assert.equal(integer(text, factor), expected))
  for (const [text, factor, message] of refused)
    test(`${JSON.stringify(text)} times ${factor} is refused`, () =>
      assert.throws(() => integer(text, factor), { name: 'InvalidValue', column: 'n', value: text, message }))
})
