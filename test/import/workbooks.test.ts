// Imports Excel workbooks: as files and as standard input, with the sheet that is wanted, and those that are refused.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { createImporter } from './importing.ts'
import { textRow, workbook, zip, type Parts } from './workbook.ts'

const { workgate, get } = await contractSuite()
const { importText, importInput } = await createImporter(workgate.url)

const tasksOf = async (project: string) => (await get(`/projects/${project}/tasks?sort=number&limit=100`)).body.data

test('A German sheet of 280 rows needs no option, and no change', async () => {
  const file = readFileSync('test/import/samples/sheet-de.xlsx')
  const { error, output, counts } = await importText(
    'Plan.xlsx',
    file,
    '--project',
    'DE',
    '--timezone',
    'Europe/Berlin',
  )
  assert.equal(error, undefined)
  assert.deepEqual(counts['tasks'], { created: 280 })
  assert.match(output, /^Format: Spreadsheet of tasks \(\.xlsx, CSV\), sheet "Projektplan" of 2 \(see --sheet\)$/m)
  assert.match(output, /^ {2}Aufwand \(Std\.\) = estimateSeconds \(times 3600\)$/m)
  assert.deepEqual(
    (await tasksOf('DE')).slice(0, 4).map((task: Record<string, any>) => [
      task['number'], task['title'], task['state'], task['priority'], task['dueDate'], task['estimateSeconds'], task['createdAt'], task['completedAt'] && task['state'] === 'completed',
    ]), // prettier-ignore
    [
      [1, 'Angebot abstimmen 1', 'completed', 'high', '2026-01-20', null, '2026-01-05T23:00:00.000Z', true],
      [2, 'Server übersetzen 2', 'open', 'medium', '2026-01-21', 4_050, '2026-01-06T23:00:00.000Z', null],
      [3, 'Grundriss abstimmen 3', 'open', 'medium', '2026-01-22', 4_050, '2026-01-08T00:51:00.000Z', null],
      [4, 'Startseite übersetzen 4', 'cancelled', 'medium', null, null, '2026-01-08T23:00:00.000Z', null],
    ],
  )
})

test('Headings can be below a title, and rows wider than them or shorter', async () => {
  const rows =
    textRow('Plan 2026') +
    textRow('Aufgabe', 'Zuständig', 'Status') +
    textRow('One', 'Ada', 'Offen', 'aside') +
    textRow('Two')
  const { error, counts } = await importText('a.xlsx', workbook({ sheets: { Plan: rows } }), '--project', 'TITLE')
  assert.equal(error, undefined)
  assert.deepEqual([counts['tasks'], counts['users']], [{ created: 2 }, { created: 1 }])
})

const sheets = {
  Listen: textRow('title') + textRow('hidden'),
  Plan: textRow('title') + textRow('first'),
  'Ältere &amp; neue': textRow('Aufgabe') + textRow('second'),
}

describe('of several sheets,', () => {
  const file = workbook({ sheets, hidden: ['Listen'] })
  const titleWith = async (...args: string[]) => {
    const { output, error } = await importText('a.xlsx', file, '--project', 'ONE', '--dry-run', ...args)
    return error ?? /tasks created: (\w+)$/m.exec(output)?.[1] ?? output
  }

  test('the first visible one is read, or the one that --sheet names', async () => {
    assert.equal(await titleWith(), 'first')
    assert.equal(await titleWith('--sheet', 'listen'), 'hidden')
    assert.equal(await titleWith('--sheet', 'ältere & neue'), 'second')
  })

  test('an unknown one is refused, with their names', async () => {
    assert.equal(
      await titleWith('--sheet', 'Plan 2'),
      'a.xlsx is a workbook without a sheet "Plan 2": it has "Listen", "Plan", "Ältere & neue"',
    )
  })
})

test('A workbook is read from standard input, in pieces of any size', async () => {
  const file = workbook({ sheets })
  const pieces = [...file].map((byte) => Uint8Array.of(byte))
  const { error, counts } = await importInput(pieces, '--project', 'STDIN', '--sheet', 'Plan', '--dry-run')
  assert.equal(error, undefined)
  assert.deepEqual(counts['tasks'], { created: 1 })
})

test('Numbers have no separators of thousands, but text can', async () => {
  const rows = (cell: string) => `${textRow('title', 'Aufwand (h)')}<row><c t="str"><v>a</v></c>${cell}</row>`
  const importCell = (cell: string) => importText('a.xlsx', workbook({ sheets: { A: rows(cell) } }), '--project', 'NUM')
  assert.equal((await importCell('<c><v>1.125</v></c>')).error, undefined)
  assert.equal((await tasksOf('NUM'))[0].estimateSeconds, 4_050)
  assert.match(
    (await importCell('<c t="str"><v>1.125</v></c>')).error!,
    /line 2, Aufwand \(h\) "1.125": may be 1125 or 1.125/,
  )
  assert.match((await importCell('<c><v>1.2E+19</v></c>')).error!, /line 2, Aufwand \(h\) "1.2E\+19": must be a number/)
})

test('An error of Excel is refused where it is read, unless --value says what stands for it', async () => {
  const row = '<row r="7"><c t="str"><v>a</v></c><c t="e"><v>#N/A</v></c><c t="e"><v>#REF!</v></c></row>'
  const file = workbook({ sheets: { A: textRow('title', 'Zuständig', 'Kosten') + row } })
  const { error } = await importText('a.xlsx', file, '--project', 'ERR', '--dry-run')
  assert.match(
    error!,
    /line 7, Zuständig "#N\/A": is an error of the sheet: correct it, or say what stands for it, such as --value "Zuständig:#N\/A="$/m,
  )
  const right = await importText('a.xlsx', file, '--project', 'ERR', '--dry-run', '--value', 'Zuständig:#N/A=')
  assert.equal(right.error, undefined)
  assert.doesNotMatch(right.output, /users/)
})

const plan = (parts: Partial<Parts>) => workbook({ sheets: { Plan: textRow('title') }, ...parts })

// prettier-ignore
const refused: [claim: string, file: Uint8Array, error: RegExp][] = [
  ['another ZIP archive',          zip({ 'a.csv': 'title\none' }),             /^a\.xlsx is a ZIP archive, not an Excel workbook: unpack it$/],
  ['a binary workbook',            zip({ 'xl/workbook.bin': '' }),             /^a\.xlsx is a binary Excel workbook: save it as \.xlsx or CSV$/],
  ['an OpenDocument file',         zip({ 'content.xml': '' }),                 /^a\.xlsx is an OpenDocument file: save the sheet as \.xlsx or CSV$/],
  ['half of a workbook',           plan({}).subarray(0, 500),                  /^a\.xlsx is an incomplete ZIP archive$/],
  ['a sheet that is not there',    zip({ 'xl/workbook.xml': '<a><sheet name="A" id="1"/></a>', 'xl/_rels/workbook.xml.rels': '<a><Relationship Id="1" Type="/worksheet" Target="x"/></a>' }), /^a\.xlsx is a damaged workbook: it has no xl\/x$/],
  ['only hidden sheets',           plan({ hidden: ['Plan'] }),                 /^a\.xlsx is a workbook without a visible sheet$/],
  ['a sheet that does not end',    plan({ sheets: { Plan: '<worksheet><sheetData>' } }), /^a\.xlsx is a damaged workbook: xl\/worksheets\/sheet1\.xml is not valid XML$/],
  ['a string that is not there',   plan({ sheets: { Plan: '<row r="4"><c t="s"><v>7</v></c></row>' } }), /^a\.xlsx is a damaged workbook: a cell in row 4 of the sheet cannot be read$/],
  ['a number that is text',        plan({ sheets: { Plan: '<row r="4"><c><v>x</v></c></row>' } }), /^a\.xlsx is a damaged workbook: a cell in row 4 /],
  ['a cell after the last column', plan({ sheets: { Plan: '<row><c r="ZZZ1"><v>1</v></c></row>' } }), /^a\.xlsx is a damaged workbook: a cell in row 1 /],
  ['other columns',                plan({ sheets: { Plan: textRow('Wer', 'Wozu') } }), /^a\.xlsx is a workbook of no known format\. Say which /],
]

describe('refused:', () => {
  for (const [claim, file, expected] of refused)
    test(claim, async () => {
      const { error } = await importText('a.xlsx', file, '--project', 'NO')
      assert.match(error!, expected)
    })
})
