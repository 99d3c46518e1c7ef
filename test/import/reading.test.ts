// Reading files: encodings, separators, and files that cannot be read, of which nothing is written.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { decode } from '../../src/import/decode.ts'
import { splitCsv } from '../../src/import/csv-records.ts'
import { splitJson } from '../../src/import/json-records.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const countRows = async () =>
  (
    await sql`select (select count(*) from workgate.projects) as projects, (select count(*) from workgate.tasks) as tasks`
  )[0]

const inEncodings = (text: string): [encoding: string, bytes: Uint8Array][] => [
  ['utf-8', Buffer.from(text)],
  ['utf-8, with a byte order mark', Buffer.from(`\ufeff${text}`)],
  ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['utf-16le, without a byte order mark', Buffer.from(text, 'utf16le')],
  ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['windows-1252', Buffer.from(text, 'latin1')],
]

describe('a CSV file', () => {
  const lines = [
    ['title', 'externalId', 'description'],
    ['Grüße', 'e-1', '"two\nlines, ""quoted""; more"'],
  ]
  for (const separator of [',', ';', '\t'])
    for (const [encoding, bytes] of inEncodings(lines.map((line) => line.join(separator)).join('\r\n'))) {
      test(`in ${encoding}, separated by ${JSON.stringify(separator)}`, async () => {
        const { error, output } = await importText('tasks.csv', bytes, '--project', 'ENC')
        assert.equal(error, undefined)
        if (!encoding.startsWith('utf-8')) assert.ok(output.includes(encoding.split(',')[0]!))
        const [task] = (await get('/projects/ENC/tasks')).body.data
        assert.deepEqual([task.title, task.description], ['Grüße', 'two\nlines, "quoted"; more'])
      })
    }
})

const id = 'd795df9e-92a3-8e7a-8cfa-a675453d303f'
const projectLine = `{"kind": "project", "id": "${id}", "key": "WEB", "name": "x"}`

// prettier-ignore
const refused: [claim: string, file: string | Uint8Array, args: string[], error: RegExp][] = [
  ['an empty file',                    '  \n',                                   [], /^file is empty$/],
  ['an old Excel workbook',            Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), [], /^file is an old Excel workbook, or one with a password \(save it as .xlsx or CSV, without a password\), not text$/],
  ['CSV with --sheet',                 'title\none',                             ['--sheet', 'Plan'], /^file is not an Excel workbook \(.xlsx\), so it has no --sheet$/],
  ['a binary file',                    new Uint8Array([1, 2, 0, 3]),             [], /^file is a binary file, not text$/],
  ['text with a NUL character',        'title\none\nt\0wo',                       [], /^file is text with a NUL character in line 3, which cannot be stored$/],
  ['a NUL character after 64 KB',      `title\n${'one\n'.repeat(20_000)}\0`,       [], /^file is text with a NUL character in line 20002, which cannot be stored$/],
  ['an issue whose number is text',    '[{"number": "2", "title": "x", "state": "open"}]', [], /line 1, number "2": must be a number$/m],
  ['an issue without a title',         '[{"number": 2, "state": "open"}]',      [], /line 1, title: is missing$/m],
  ['an issue whose title is null',     '[{"number": 2, "state": "open", "title": null}]', [], /line 1, title: must be a text, not null$/m],
  ['an issue with a time of its own',  '[{"number": 2, "state": "open", "title": "x", "created_at": "May"}]', [], /line 1, created_at "May": must be a time such as 2026-11-21T09:30:00Z$/m],
  ['an issue that is locked',          '[{"iid": 2, "project_id": 1, "title": "x", "state": "locked"}]', [], /line 1, state "locked": must be opened or closed$/m],
  ['a line of an export without a title', `${projectLine}\n{"kind": "task", "id": "${id}", "projectId": "${id}"}`, ['--no-project'], /line 2, title: is missing$/m],
  ['a project of an export without a key', `{"kind": "project", "id": "${id}", "name": "x"}`, ['--no-project'], /line 1, key: is missing$/m],
  ['an owner that is no id',           projectLine.replace('}', ', "ownerId": "zzz"}'), ['--no-project'], /line 1, ownerId "zzz": must be a UUID$/m],
  ['a task of an export without its project', `{"kind": "task", "id": "${id}", "projectId": "${id}", "title": "x"}`, ['--no-project'], /line 1, projectId "d795df9e.*": is that of no project before it: name one, such as --project WEB$/m],
  ['a message of a tap without a record', '{"type": "SCHEMA", "stream": "issues"}\n{"type": "RECORD", "stream": "issues"}', [], /line 2, record: is missing$/m],
  ['HTML',                             '<!doctype html>',                        [], /^file is HTML or XML, such as an export of Basecamp; an export in CSV or JSON is needed, or a table that you make of it$/],
  ['CSV with other columns',           'name,amount\nx,1',                       [], /^file is CSV of no known format\. Say which .*\n {2}--column "name=" --column "amount="\nFields: /],
  ['JSON with other properties',       '[{"name": "x"}]',                        [], /^file is JSON of no known format: its properties are name\./],
  ['half of an object',                '[{"number": 1, "title": "x"',            [], /^file is incomplete: the object in line 1 does not end$/],
  ['half of an array',                 '[\n{"number": 1, "title": "x", "state": "open"}', [], /^file is incomplete: its array does not end$/],
  ['an object that is not JSON',       '{"number": 1, title}',                   [], /^file is not valid JSON: the object in line 1: /],
  ['text between objects',             '{"number": 1, "title": "x", "state": "open"}\nend', [], /^file is not JSON: "end" in line 2$/],
  ['a quote that does not end',        'title\none\n"two',                       [], /^file is not valid CSV: in the row that begins in line 3, a quoted value does not end$/],
  ['a row with too few values',        'title,state\none',                       [], /line 2 "one": the row has 1 value instead of 2/],
  ['a row with too many values',       'title\none,two',                         [], /line 2 "one two": the row has 2 values instead of 1/],
  ['another encoding after 64 KB',     Buffer.concat([Buffer.from('title\n' + 'é\n'.repeat(40_000)), Buffer.from([0xe9])]), [], /^file is not utf-8 after line \d+: name its encoding, such as --encoding windows-1252$/],
  ['an export with --full',            `${projectLine}`,                          ['--no-project', '--full', '--yes'], / is an export, with tasks of any source: --full needs the file of one tool$/],
  ['no project',                       'title\none',                             ['--no-project'], /line 2, project: is not in the file: name it, such as --project WEB/],
  ['an ambiguous date',                'title,dueDate\none,03/04/2026',          [], /line 2, dueDate "03\/04\/2026": may be two dates: use --dates dmy or --dates mdy/],
  ['a column that is not there',       'title\none',                             ['--column', 'Points=estimateSeconds'], /^file is without a column "Points", which --column or --value names$/],
  ['an unknown field',                 'title\none',                             ['--column', 'title=points'], /^--column: the field must be one of externalId/],
  ['--full that skips rows',           'title\none',                             ['--full', '--skip-invalid'], /^--full cannot be combined with --skip-invalid: the tasks of skipped rows would be deleted$/],
  ['a malformed key',                  'title\none',                             ['--project', 'w-b'], /^--project must be 2 to 12/],
  ['an unknown format',                'title\none',                             ['--format', 'excel'], /^--format must be one of .*github/],
  ['an unknown time zone',             'title\none',                             ['--timezone', 'Mars'], /^--timezone: "Mars" is not a time zone that PostgreSQL knows$/],
]

test('a CSV file can have several kinds of line ends', async () => {
  const file = 'title,state\r\nOne,open\nTwo,open\r\n"Th\nree",open\rFour,late'
  const { error } = await importText('tasks.csv', file, '--project', 'ENDS', '--dry-run')
  assert.match(error!, /^ {2}line 6, state "late"/m)
  const right = await importText('tasks.csv', file.replace('late', 'open'), '--project', 'ENDS', '--dry-run')
  assert.deepEqual(right.counts['tasks'], { created: 4 })
})

describe('Excel', () => {
  test('names the separator in the first line', async () => {
    for (const separator of [';', ',', '\t', '|']) {
      const file = `sep=${separator}\r\ntitle${separator}dueDate\r\n"a, b; c"${separator}soon`
      const { error } = await importText('tasks.csv', file, '--project', 'SEP', '--dry-run')
      assert.match(error!, /\n {2}line 3, dueDate "soon": must be a date\n/)
      const right = await importText('tasks.csv', file.replace('soon', '2026-01-02'), '--project', 'SEP', '--dry-run')
      assert.deepEqual(right.counts['tasks'], { created: 1 })
    }
  })

  test('adds rows that are empty', async () => {
    const file = 'title;dueDate\n;\none;2026-01-02\n;\n ;;;\n'
    const { counts, error } = await importText('tasks.csv', file, '--project', 'SEP', '--dry-run')
    assert.equal(error, undefined)
    assert.deepEqual(counts['tasks'], { created: 1 })
  })

  test('may save a header alone', async () => {
    for (const file of ['title,dueDate', 'title,dueDate\n,\n']) {
      const { output } = await importText('tasks.csv', file, '--project', 'SEP', '--dry-run')
      assert.match(output, /The file has no rows\./)
      assert.doesNotMatch(output, /Columns/)
    }
  })
})

describe('refused, and nothing is written:', () => {
  for (const [claim, file, args, error] of refused) {
    test(claim, async () => {
      const before = await countRows()
      const project = args.includes('--project') || args.includes('--no-project') ? [] : ['--project', 'REF']
      const result = await importText('file', file, ...project, ...args.filter((arg) => arg !== '--no-project'))
      assert.match(result.error!.replace(/^file:.*\n {2}/, ''), error)
      assert.deepEqual(await countRows(), before)
    })
  }
})

async function* inChunks<T extends string | Uint8Array>(whole: T, size: number) {
  for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size) as T
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('a file is read in chunks of any size:', () => {
  test('JSON', async () => {
    const objects = [{ a: 'é"}\n\\' }, { b: ['}', '{', '\\"'], c: { d: '\\\\"' } }, { 'e"': '🚀,\u2028' }]
    const json = `\n[${objects.map((one) => JSON.stringify(one, null, 1)).join(',\n')}]\n`
    for (let size = 1; size <= json.length; size++) {
      const found = await all(splitJson(inChunks(json, size)))
      assert.deepEqual(found.map(({ text }) => JSON.parse(text) as unknown), objects) // prettier-ignore
      assert.deepEqual(found.map(({ line }) => line), [2, 5, 15]) // prettier-ignore
    }
  })

  test('CSV', async () => {
    const csv = readFileSync('test/import/samples/jira.csv', 'utf8')
    const rows = await all(splitCsv(inChunks(csv, csv.length)))
    for (const size of [1, 2, 3, 7, 64, 1_000]) assert.deepEqual(await all(splitCsv(inChunks(csv, size))), rows)
  })

  test('characters of several bytes', async () => {
    const text = 'aé🚀'.repeat(20_000)
    for (const size of [65_535, 65_536, 65_537, 65_538, 1_001]) {
      const texts = await all(
        decode(inChunks(Buffer.from(text), size), undefined, (found) => assert.equal(found, 'utf-8')),
      )
      assert.ok(texts.length > 1 && texts.join('') === text)
    }
  })
})
