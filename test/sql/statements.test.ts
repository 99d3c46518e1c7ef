// PostgreSQL accepts every statement, and values pass in both directions unchanged.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { migrations } from '../../src/db/migrations.ts'
import { include } from '../../src/db/include.ts'
import { bind, prepare, query } from '../../src/db/query.ts'
import { freshDatabase, type Sql } from '../support/workgate.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let sql: Sql
let db: Database

before(async () => {
  database = await freshDatabase()
  sql = database.sql
  db = openDatabase({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 30_000 })
})
after(async () => {
  await db.close()
  await database.drop()
})

describe('every statement', async () => {
  // Scripts of several statements are tested elsewhere: every test runs the migrations, demo.test.ts the demo.
  const scripts = /^(migrations|demo)\/|prepare-migrations|workgate-api/
  const fragments = /-fields|task-(tags|watchers)/
  const files = (await readdir('sql', { recursive: true })).filter((file) => file.endsWith('.sql'))

  for (const file of files.filter((file) => !scripts.test(file))) {
    test(`${file} is accepted by PostgreSQL and begins with a comment`, async () => {
      const text = await readFile(join('sql', file), 'utf8')
      assert.match(text, /^-- \S/, 'the first line is a comment')
      // Fragments, and statements that include them, run in the tests of their endpoints.
      if (text.includes('{{') || fragments.test(file)) return
      await sql.unsafe(prepare(text).text).describe()
    })
  }

  test('the list of migrations contains every file in the folder, in order', async () => {
    const inFolder = (await readdir('sql/migrations')).sort().map((file) => file.replace('.sql', ''))
    assert.deepEqual(
      migrations.map(({ name }) => name),
      inFolder,
    )
  })
})

describe('parameters', () => {
  test('are recognized once each, and not in casts, comments or quotes', () => {
    const { text, names } = prepare(`select ':a', ":b", c::text, :d::int, :e, :d -- :f\n`)
    assert.deepEqual(names, ['d', 'e'])
    assert.equal(text, `select ':a', ":b", c::text, $1::int, $2, $1 -- :f\n`)
  })

  test('must all be given, and no others', () => {
    const statement = prepare('select :a, :b')
    assert.deepEqual(bind(statement, { a: 1, b: null }), [1, null])
    assert.throws(() => bind(statement, { a: 1 }), /needs the parameter b/)
    assert.throws(() => bind(statement, { a: 1, b: 2, c: 3 }), /no parameter c/)
  })

  test('pass the items of a list unchanged', async () => {
    const values = ['a', 'b,c', '"', '\\', '{}', 'null', '', "'", ' é']
    const [row] = await query<{ list: string }>('select array_to_json(:list::text[])::text as list')(db, {
      list: values,
    })
    assert.deepEqual(JSON.parse(row!.list), values)
  })
})

describe('values', () => {
  test('times keep their microseconds, and JSON keeps its text, in both directions', async () => {
    const time = '2026-01-01 00:00:00.123456+00'
    const json = '{"b": 1,  "a": [null]}'
    const find = query<Record<string, unknown>>(
      'select :time::timestamptz as time, :json::json as json, :day::date as day',
    )
    assert.deepEqual({ ...(await find(db, { time, json, day: '2026-02-03' }))[0] }, { time, json, day: '2026-02-03' })
  })

  test('a value that PostgreSQL cannot parse fails with the error code of PostgreSQL', async () => {
    await assert.rejects(query('select :time::timestamptz')(db, { time: 'soon' }), { code: '22007' })
  })
})

describe('including fragments', () => {
  test('replaces every occurrence of each placeholder and does not change the text of the fragment', () => {
    assert.equal(include('a {{b}} {{c}} {{b}}', { b: "'$&' $1\n", c: '{{d}}' }), "a '$&' $1 {{d}} '$&' $1")
  })

  test('fails for a placeholder without a fragment and for a fragment without a placeholder', () => {
    assert.throws(() => include('{{a}} {{b}}', { a: '1' }), /needs the fragment b/)
    assert.throws(() => include('{{a-b}}', {}), /needs the fragment a-b/)
    assert.throws(() => include('{{a}}', { a: '1', b: '2' }), /no placeholder b/)
  })
})
