// The cells of Excel workbooks: what each becomes, and how the XML and the ZIP archive around them may be written.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CsvRow } from '../../src/import/csv-records.ts'
import { formatOf } from '../../src/import/xlsx/number-formats.ts'
import { readWorkbook } from '../../src/import/xlsx/workbook.ts'
import { XmlParser } from '../../src/import/xlsx/xml.ts'
import { partsOf, textRow, workbook, zip, type Parts } from './workbook.ts'

async function read(bytes: Uint8Array, sheet?: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const row of readWorkbook(one(bytes), sheet, () => {})) rows.push(row)
  return rows
}

async function* one<T>(item: T) {
  yield item
}

const rowsOf = async (rows: string, parts: Parts = {}) => read(workbook({ sheets: { Plan: rows }, ...parts }))

const cellOf = async (cell: string, parts?: Parts) => {
  const [row] = await rowsOf(`<row r="1">${cell}</row>`, parts)
  return row && [row.values[0], ...row.kinds!]
}

const strings = `<si><t>one</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t xml:space="preserve">text</t></r></si>
  <si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>a_x000D_
b _x005F_x000D_ _x0000_ _xD83D_</t></si><si/>`

// prettier-ignore
const cells: [claim: string, cell: string, expected: string | undefined, kind?: string][] = [
  ['a shared string',             '<c r="A1" t="s"><v>0</v></c>',                       'one'],
  ['a shared string with runs',   '<c t="s"><v>1</v></c>',                              'rich text'],
  ['phonetic text',               '<c t="s"><v>2</v></c>',                              '東京'],
  ['escaped characters',          '<c t="s"><v>3</v></c>',                              'a\r\nb _x000D_ _x0000_ _xD83D_'],
  ['an empty shared string',      '<c t="s"><v>4</v></c>',                              undefined],
  ['an inline string',            '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh><t>x</t></rPh></is></c>', 'inline'],
  ['a formula with text',         '<c t="str"><f>A2&amp;"x"</f><v>a &lt;b&gt; &#228;&#xE4;</v></c>', 'a <b> ää'],
  ['a formula with a number',     '<c><f>1+1</f><v>2</v></c>',                          '2', 'number'],
  ['a formula without a value',   '<c><f>1+1</f></c>',                                  undefined],
  ['a boolean',                   '<c t="b"><v>1</v></c>',                              'TRUE'],
  ['another boolean',             '<c t="b"><v>0</v></c>',                              'FALSE'],
  ['an error',                    '<c t="e"><v>#N/A</v></c>',                           '#N/A', 'error'],
  ['a date as text',              '<c t="d"><v>2026-03-05T00:00:00</v></c>',            '2026-03-05T00:00:00'],
  ['a whole number',              '<c><v>12</v></c>',                                   '12', 'number'],
  ['a number of Excel',           '<c t="n"><v>1.1000000000000001</v></c>',             '1.1', 'number'],
  ['three decimals',              '<c><v>1.125</v></c>',                                '1.125', 'number'],
  ['a negative number',           '<c><v>-0.5</v></c>',                                 '-0.5', 'number'],
  ['a small number',              '<c><v>1.5E-7</v></c>',                               '0.00000015000000000000', 'number'],
  ['a number with an exponent',   '<c><v>1.5E+3</v></c>',                               '1500', 'number'],
  ['all digits of an id',         '<c><v>1211234567890123456</v></c>',                  '1211234567890123456', 'number'],
  ['a number that Excel cut',     '<c><v>1.21123456789012E+18</v></c>',                 '1.21123456789012E+18', 'number'],
  ['a cell in a namespace',       '<x:c xmlns:x="y" t=\'inlineStr\'><x:is><x:t><![CDATA[<a> & ]]>b<!-- > --></x:t></x:is></x:c>', '<a> & b'],
]

describe('a cell:', () => {
  for (const [claim, cell, expected, kind] of cells)
    test(claim, async () => {
      const found = await cellOf(cell, { strings })
      assert.deepEqual(found, expected === undefined ? undefined : [expected, ...(kind ? [kind] : [])])
    })
})

// prettier-ignore
const times: [code: string, serial: string, from1900: string, from1904: string][] = [
  ['dd.mm.yyyy',                          '46086',                '2026-03-05',          '2030-03-06'],
  ['dd.mm.yyyy',                          '46086.729166666664',   '2026-03-05T17:30:00', '2030-03-06T17:30:00'],
  ['dd.mm.yyyy',                          '46086.999999',         '2026-03-06',          '2030-03-07'],
  ['yyyy',                                '1',                    '1900-01-01',          '1904-01-02'],
  ['yyyy',                                '59',                   '1900-02-28',          '1904-02-29'],
  ['yyyy',                                '60',                   '1900-02-29',          '1904-03-01'],
  ['yyyy',                                '61',                   '1900-03-01',          '1904-03-02'],
  ['yyyy',                                '0',                    '1900-01-00',          '1904-01-01'],
  ['yyyy',                                '2958465',              '9999-12-31',          '2958465'],
  ['yyyy',                                '2958466',              '2958466',             '2958466'],
  ['yyyy',                                '-1',                   '-1',                  '-1'],
  ['hh:mm',                               '0.5',                  '12:00:00',            '12:00:00'],
  ['hh:mm AM/PM',                         '46086.5',              '2026-03-05T12:00:00', '2030-03-06T12:00:00'],
  ['[h]:mm:ss',                           '1.5',                  '36:00:00',            '36:00:00'],
  ['[$-407]d. mmm yyyy',                  '46086',                '2026-03-05',          '2030-03-06'],
  ['0.00%',                               '0.5',                  '0.5',                 '0.5'],
]

describe('a number with the format', () => {
  for (const [code, serial, ...expected] of times)
    test(`${code}: ${serial} is ${expected.join(' or ')}`, async () => {
      for (const [n, date1904] of [false, true].entries())
        assert.equal((await cellOf(`<c s="1"><v>${serial}</v></c>`, { formats: [code], date1904 }))![0], expected[n])
    })
})

// prettier-ignore
const codes: [code: string, expected: string | undefined][] = [
  ['General', undefined], ['0.00E+00', undefined], ['#,##0.00 "Std."', undefined], ['#,##0\\ \\h', undefined],
  ['[Red]0;[Blue]-0', undefined], ['[$€-407]#,##0', undefined], ['_-* #,##0_d', undefined], ['@', undefined],
  ['mmm', 'date'], ['m/d/yy h:mm', 'date'], ['D.M.', 'date'], ['yyyy"年"m"月"', 'date'], ['mm:ss', 'time'],
  ['[mm]:ss', 'duration'], ['[Red][h]:mm', 'duration'], ['[$-F800]dddd\\,\\ mmmm', 'date'], ['0;d', undefined],
]

test('the code of a format says whether it shows a date', () => {
  assert.deepEqual(codes.map(([code]) => [code, formatOf(code)]), codes) // prettier-ignore
})

test('built-in formats are those of dates, too', async () => {
  const styles = [0, 1, 10, 13, 14, 20, 22, 30, 33, 37, 46, 49, 58].map((id) => `<xf numFmtId="${id}"/>`).join('')
  const row = `<row>${Array.from({ length: 13 }, (_, n) => `<c s="${n}"><v>61.5</v></c>`).join('')}</row>`
  const parts = { 'xl/styles.xml': `<styleSheet><cellXfs>${styles}</cellXfs></styleSheet>` }
  const [found] = await rowsOf(row, { others: parts })
  const [number, date] = ['61.5', '1900-03-01T12:00:00']
  assert.deepEqual(
    found!.values,
    [number, number, number, number, date, date, date, date, date, number, '1476:00:00', number, date],
  ) // prettier-ignore
})

describe('rows', () => {
  const cell = (reference: string, value = reference) => `<c r="${reference}"><v>${value}</v></c>`

  test('have their numbers in the sheet, and the cells that are missing', async () => {
    const rows = await rowsOf(
      `<row r="3">${cell('B3', '1')}${cell('D3', '2')}</row><row r="4" hidden="1">${cell('A4', '3')}</row>` +
        `<row r="5"><c r="A5" s="0"/></row><row r="9">${cell('C9', '4')}<c><v>5</v></c>${cell('E9', '6')}</row><row><c><v>7</v></c></row>`,
    )
    assert.deepEqual(
      rows.map(({ line, values }) => [line, ...values]),
      [
        [3, '', '1', '', '2'],
        [4, '3'],
        [9, '', '', '4', '5', '6'],
        [10, '7'],
      ],
    )
  })

  test('of merged cells have the first one', async () => {
    const sheet = `<worksheet><sheetData><row r="1">${cell('A1', '1')}${cell('B1', '2')}</row><row r="2">${cell('A2', '3')}<c r="B2"/></row></sheetData><mergeCells><mergeCell ref="A2:B2"/></mergeCells></worksheet>`
    assert.deepEqual((await rowsOf(sheet))[1]!.values, ['3'])
  })
})

describe('an archive', () => {
  const parts = partsOf({ sheets: { Plan: textRow('title') + textRow('ä'.repeat(100_000)) } })
  const expected = ['title', 'ä'.repeat(100_000)]

  test('can be stored or compressed', async () => {
    for (const isStored of [false, true])
      assert.deepEqual((await read(zip(parts, isStored))).flatMap(({ values }) => values), expected) // prettier-ignore
  })

  test('is damaged wherever a byte of the sheet changed', async () => {
    const archive = zip(parts, true)
    const at = archive.indexOf('ä'.repeat(10))
    archive[at + 5_001]! ^= 1
    await assert.rejects(
      read(archive),
      /^InvalidFile: a damaged ZIP archive: xl\/worksheets\/sheet1\.xml cannot be read$/,
    )
  })

  test('is incomplete or damaged, wherever it ends', async () => {
    const archive = zip(parts)
    for (let size = 4; size < archive.length; size += 7)
      await assert.rejects(read(archive.subarray(0, size)), /^InvalidFile: an incomplete ZIP archive$/)
  })

  test('with random damage is read or refused', async () => {
    const archive = zip(partsOf({ sheets: { Plan: textRow('title', 'b') }, strings, formats: ['d'] }))
    for (let at = 4; at < archive.length; at += 3) {
      const damaged = Buffer.from(archive)
      damaged[at]! ^= 0x5a
      await read(damaged).catch((error: Error) => assert.equal(error.name, 'InvalidFile', `${at}: ${error.stack}`))
    }
  })

  test('cannot expand to more than its list of files says, and parts that are kept have a limit', async () => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(Buffer.byteLength(parts['xl/worksheets/sheet1.xml']!))
    const archive = zip(parts)
    const smaller = Buffer.from(archive)
    smaller.writeUInt32LE(100, archive.lastIndexOf(size))
    await assert.rejects(read(smaller), /cannot be read$/)
    const shared = zip(partsOf({ sheets: { Plan: textRow('title') }, strings }))
    shared.writeUInt32LE(300_000_000, shared.lastIndexOf('xl/sharedStrings.xml') - 46 + 24)
    await assert.rejects(read(shared), /^InvalidFile: a workbook whose xl\/sharedStrings\.xml has more than 200 MB/)
  })
})

describe('XML', () => {
  const parse = (pieces: Iterable<string>) => {
    const found: string[] = []
    const parser = new XmlParser('a part', {
      open: (name, attributes) => void found.push(`<${name} ${JSON.stringify(attributes)}`),
      close: (name) => void found.push(`/${name}`),
      text: (text) => void found.push(text),
    })
    for (const piece of pieces) parser.write(piece)
    parser.end()
    return found.join('|')
  }
  const xml = `\ufeff<?xml version='1.0'?><!-- > --><a:b c = "1>2" d:e='"&apos;'\n><f/>x\r\n&amp;<![CDATA[<&]]></a:b >\n`
  const expected = `<b {"c":"1>2","e":"\\"'"}|<f {}|/f|x\n&|<&|/b`

  test('is parsed in pieces of any size', () => {
    for (let size = 1; size <= xml.length; size++)
      assert.equal(parse(Array.from({ length: xml.length }, (_, n) => xml.slice(n * size, (n + 1) * size))), expected)
  })

  // prettier-ignore
  const invalid = [
    '', '<a>', '<a></b>', '</a>', '<a/><b/>', '<a/>x', 'x<a/>', '<a b=1/>', '<a b="1"c="2"/>', '<a b="<"/>', '<a>&b;</a>', '<a>& </a>',
    '<a>&#0;</a>', '<a>&#xD800;</a>', '<a>&#x110000;</a>', '<!DOCTYPE a><a/>', '<a>\0</a>', '<a><!b></a>', '< a/>', '<a b="&"/>', '<a><![CDATA[</a>',
    '<a>'.repeat(101) + '</a>'.repeat(101), `<a>${'x'.repeat(1_100_000)}`,
  ]
  for (const text of invalid)
    test(`${text.slice(0, 20)} is refused`, () => {
      assert.throws(() => parse([text]), /^InvalidFile: a damaged workbook: a part is not valid XML$/)
    })
})
