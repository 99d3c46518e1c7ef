// workgate sql.

import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { splitStatements } from '../../src/commands/sql/split-statements.ts'
import { sql as runSql } from '../../src/commands/sql/sql.ts'
import { readConfig } from '../../src/config/config.ts'
import { commandContext } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const { sql, url } = await suiteDatabase()

/** Returns what the command writes, and the message of its error. */
async function run(script: string, ...args: string[]) {
  const output = new PassThrough()
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  const error = await runSql({ ...context, args, output, input: Readable.from([Buffer.from(script)]) }).then(() => undefined, (error: Error) => error.message) // prettier-ignore
  output.end()
  return { output: await text(output), error }
}

const values = `select 1 as n, 'a,"b"' as text, null as nothing, true as yes, 1.50::numeric as price, 'NaN'::float8 as nan, '{"a": [1]}'::jsonb as json, '' as empty, e'\\x1b[2J\\n' as control`

test('prints tables, with characters escaped that a terminal would obey', async () => {
  const { output, error } = await run(`${values}; create temporary table t (a int); insert into t values (1), (2)`)
  assert.equal(error, undefined)
  assert.deepEqual(output.split('\n').map((line) => line.trimEnd()), [
    'n  text   nothing  yes  price  nan  json        empty  control',
    '-  -----  -------  ---  -----  ---  ----------  -----  ---------------',
    '1  a,"b"           t    1.50   NaN  {"a": [1]}         \\u001b[2J\\u000a',
    '(1 row)', '', 'CREATE TABLE', 'INSERT 2', '',
  ]) // prettier-ignore
})

test('--json and --csv print rows only', async () => {
  const script = `create temporary table t (a int); ${values}; select 2 as n where false`
  const json = (await run(script, '--json')).output.trimEnd().split('\n')
  assert.deepEqual(json.map((line) => JSON.parse(line)), [
    [{ n: 1, text: 'a,"b"', nothing: null, yes: true, price: 1.5, nan: 'NaN', json: { a: [1] }, empty: '', control: '\x1b[2J\n' }],
    [],
  ]) // prettier-ignore
  assert.equal(
    (await run(values, '--csv')).output,
    'n,text,nothing,yes,price,nan,json,empty,control\r\n1,"a,""b""",,t,1.50,NaN,"{""a"": [1]}","","\x1b[2J\n"\n',
  )
})

test('at a terminal, --csv and --json are escaped, too', async () => {
  const output = Object.assign(new PassThrough(), { isTTY: true })
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  const script = `select e'\\x1b[2J\\u202e' as control, 1 as n`
  for (const format of ['--csv', '--json']) await runSql({ ...context, args: ['-c', script, format], output })
  output.end()
  assert.equal(await text(output), `control,n\n\\u001b[2J\\u202e,1\n[{"control":"\\u001b[2J\\u202e","n":1}]\n`)
})

test('several -c run one after the other, and an error names the one', async () => {
  const { output, error } = await run('', '-c', 'create temporary table t (a int); insert into t values (7)', '-c', 'table t', '-c', 'select x') // prettier-ignore
  assert.match(output, /CREATE TABLE\nINSERT 1\na\n-\n7\n/)
  assert.match(
    error!,
    /^-c number 3, line 1: column "x" does not exist \(42703\)\nThe statements before it were executed\.$/,
  )
})

test('an output that its reader has closed ends the command, and its transaction', async () => {
  const output = new PassThrough()
  output.on('error', () => {})
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  const insert = `insert into workgate.projects (key, name) values ('PIPE', 'Pipe')`
  const args = ['-c', insert, '-c', `select repeat('x', 100000)`, '-c', 'select 1', '--single-transaction']
  const ended = runSql({ ...context, args, output })
  // More than fits is never read.
  output.once('readable', () => output.destroy(new Error('EPIPE')))
  await assert.rejects(
    ended,
    /^Error: the output was closed before all of it was written; the statements after it were/,
  )
  assert.deepEqual([...(await sql`select from workgate.projects where key = 'PIPE'`)], [])
})

test('stops at the first error, with its line; the statements before it remain', async () => {
  const script = `-- two projects\ninsert into workgate.projects (key, name) values ('ONE', 'One');\n\nselect\n  missing;\ninsert into workgate.projects (key, name) values ('TWO', 'Two');`
  const message = 'standard input, line 5: column "missing" does not exist (42703)\n'
  assert.equal((await run(script, '--single-transaction')).error, `${message}Nothing was changed.`)
  assert.deepEqual([...(await sql`select key from workgate.projects`)], [])
  assert.equal((await run(script)).error, `${message}The statements before it were executed.`)
  assert.deepEqual([...(await sql`select key from workgate.projects`)], [{ key: 'ONE' }])
  assert.match((await run('', '-c', `insert into workgate.projects (key, name) values ('ONE', 'x')`)).error!, /^-c, line 1: duplicate key .* \(23505\)\n {2}Key \(key\)=\(ONE\) already exists\.\nNothing was changed\.$/) // prettier-ignore
})

test('COPY of a file of the server is left to the server', async () => {
  assert.match((await run(`copy workgate.users to '/nowhere/stdout'`)).error!, /No such file or directory/)
})

test('a single statement is no transaction', async () => {
  assert.deepEqual(await run('', '-c', 'vacuum workgate.boards'), { output: 'VACUUM\n', error: undefined })
})

// prettier-ignore
const refusals: [script: string, args: string[], message: RegExp][] = [
  ['select 1;\n\\copy t from x.csv', [],                  /^standard input, line 2: \\copy is a command of psql, not SQL; "workgate import" loads files$/],
  ['copy t from stdin', [],                               /^standard input, line 1: copy can neither read standard input/],
  ['', ['-c', 'select 1', 'file.sql'],                    /^unexpected argument "file\.sql"/],
  ['', ['missing.sql'],                                   /^cannot read missing\.sql: ENOENT/],
  ['select 1', ['--csv', '--json'],                       /^--csv cannot be combined with --json/],
]
for (const [script, args, message] of refusals) {
  test(`refuses ${[...args, JSON.stringify(script)].join(' ')}`, async () => {
    const { output, error } = await run(script, ...args)
    assert.match(error!, message)
    assert.equal(output, '')
  })
}

// prettier-ignore
const scripts: [script: string, statements: string[]][] = [
  ['',                                              []],
  [' ;; -- nothing;\n /* ; /* ; */ ; */ ',          []],
  ['select 1; select 2',                            ['select 1', 'select 2']],
  [`select ';', "a;""b", e'\\';', 'it''s;'; x`,     [`select ';', "a;""b", e'\\';', 'it''s;'`, 'x']],
  ['do $$ begin; end; $$; x',                       ['do $$ begin; end; $$', 'x']],
  ['select $a$ $b$ ; $a$, $1, a$b$c; x',            ['select $a$ $b$ ; $a$, $1, a$b$c', 'x']],
  ['create rule r as on insert to t do (a; b); x',  ['create rule r as on insert to t do (a; b)', 'x']],
  ['begin; select case when a then b end; end; x',  ['begin', 'select case when a then b end', 'end', 'x']],
  ['create function f() returns int begin atomic select case when a then 1 end; select 2; end; x',
    ['create function f() returns int begin atomic select case when a then 1 end; select 2; end', 'x']],
  ['select 1 -- one;\n; /* ; */ select 2',          ['select 1 -- one;\n', 'select 2']],
]
for (const [script, statements] of scripts) {
  test(`splits ${JSON.stringify(script)}`, () => {
    assert.deepEqual(splitStatements(script).map(({ text }) => text), statements) // prettier-ignore
  })
}
