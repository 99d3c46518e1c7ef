// PostgreSQL accepts every statement, and values pass in both directions unchanged.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { migrations } from '../../src/db/schema/migrations.ts'
import { query } from '../../src/db/statements/query.ts'
import { bind, prepare, type Params } from '../../src/db/statements/template.ts'
import { openPool, type Runner } from '../../src/db/pool/pool.ts'
import { pageQueries, type ListDefinition } from '../../src/api/lists/page-query.ts'
import { projects } from '../../src/resources/projects/list-projects.ts'
import { projectSummaries } from '../../src/resources/projects/summarize-projects.ts'
import { tasks, tasksAcrossProjects } from '../../src/resources/tasks/list-tasks.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'

const { sql, url } = await suiteDatabase()
const db = suitePool(url)

describe('every statement', async () => {
  // Scripts, and statements on temporary tables, are tested elsewhere: every test runs the migrations, demo.test.ts the
  // demo, import.test.ts an import, manage-people.test.ts a merge, backup.test.ts a restore, distribute.test.ts a Citus cluster.
  const scripts =
    /^(migrations|demo|import|citus)\/|prepare-migrations|workgate-api|(begin|end)-restore|(merge-people|stage-merged)/
  const fragments = /-fields|task-(tags|watchers|deletion|json)|named-task|matching-/
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
    assert.deepEqual(valuesOf(migrations, 'name'), inFolder)
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
    assert.throws(() => query('select :a, :b').statementFor({ a: 1, b: 2, c: 3 }), /no parameter c/)
    const { statementFor } = query('select :a {{#b}}, :b{{/b}}')
    assert.throws(() => statementFor({ a: 1, b: null, c: 3 }), /no parameter c/)
  })

  test('pass the items of a list unchanged', async () => {
    const values = ['a', 'b,c', '"', '\\', '{}', 'null', '', "'", ' é']
    const [row] = await query<{ list: string }>('select array_to_json(:list::text[])::text as list')(db, {
      list: values,
    })
    assert.deepEqual(JSON.parse(row!.list), values)
  })
})

describe('parts of a statement', () => {
  // prettier-ignore
  const cases: [sql: string, params: Params, text: string][] = [
    ['a{{#x}} b :x{{/x}} c',                             { x: 1 },               'a b $1 c'],
    ['a{{#x}} b :x{{/x}} c',                             { x: null },            'a c'],
    ['a{{^x}} b{{/x}} c',                                { x: null },            'a b c'],
    ['a{{^x}} b{{/x}} c',                                { x: false },           'a c'],
    ['a{{#x}} b{{/x}} c',                                {},                     'a c'],
    ['{{#x}}a{{#y}} b{{/y}}{{^y}} c{{/y}}{{/x}}',        { x: 1, y: 2 },         'a b'],
    ['{{#x}}a{{#y}} b{{/y}}{{^y}} c{{/y}}{{/x}}',        { x: 1, y: null },      'a c'],
    ['{{#x}}a{{#y}} b{{/y}}{{^y}} c{{/y}}{{/x}}',        { x: null, y: 2 },      ''],
    ['{{#x}}x = any (:x::text[]){{/x}}',                 { x: ['1'] },           'x = ($1::text[])[1]'],
    ['{{#x}}x = any (:x::text[]){{/x}}',                 { x: ['1', '2'] },      'x = any ($1::text[])'],
    ['{{#x}}x = any (:x::text[]){{/x}}',                 { x: [] },              'x = any ($1::text[])'],
    ['{{#x}}x = any (array(:x::text[])){{/x}}',          { x: ['1'] },           'x = any (array($1::text[]))'],
  ]
  for (const [sql, params, text] of cases) {
    test(`${sql} with ${JSON.stringify(params)} is ${text || 'empty'}`, () => {
      assert.equal(query(sql).statementFor(params).text, text)
    })
  }

  test('values are never part of the text', () => {
    const { statementFor } = query('select 1 {{#x}}, :x{{/x}}{{^y}}, 2{{/y}}')
    const value = "'; drop table x; {{^y}}--"
    assert.equal(statementFor({ x: value, y: value }).text, 'select 1 , $1')
  })

  test('a part that is not closed, or closed elsewhere, is refused', () => {
    for (const sql of ['{{#x}}a', 'a{{/x}}', '{{#x}}a{{/y}}', '{{x}}', '{{#x}}{{#y}}{{/x}}{{/y}}']) {
      assert.throws(() => query(sql), /unmatched/, sql)
    }
  })
})

test('the statements of a list count as one for the pool, whatever their sort and filters', async () => {
  const sources = new Set<string | undefined>()
  const runner: Runner = {
    run: async (_text, _values, options) => {
      sources.add(options?.source)
      return []
    },
  }
  const queries = pageQueries(tasks)
  for (const sort of ['createdAt', '-dueDate', null])
    for (const filters of [{}, { q: 'word' }])
      await queries(sort)(runner, { ...filters, projectId: 'p', limit: 1, maxBytes: 1 })
  assert.equal(sources.size, 1)
})

test('a list without the parameters of its scope is refused, instead of containing all projects', () => {
  const run = () => assert.fail('the statement ran')
  const lists: [list: ListDefinition, params: Params][] = [
    [tasks, {}],
    [projects, {}],
    [projectSummaries, {}],
    [tasksAcrossProjects, {}],
    [tasksAcrossProjects, { firstRows: 8 }],
    [tasksAcrossProjects, { firstRows: 8, projectKeys: ['WEB'], projectIds: [] }],
  ]
  for (const [list, params] of lists)
    assert.throws(
      () => pageQueries(list)(list.defaultSort)({ run }, { ...params, limit: 1, maxBytes: 1 }),
      /needs the parameter (projectId|projectIds|reach)$/,
    )
})

describe('a connection', () => {
  test('is replaced after it has prepared 100 statements', async () => {
    const pids = new Set<number>()
    const counts: number[] = []
    for (let n = 0; n < 250; n++) {
      await db.run(`select $1::integer as statement_${n}`, [n])
      const [row] = await db.run<{ pid: number; count: number }>(
        'select pg_backend_pid() as pid, count(*)::integer as count from pg_prepared_statements',
      )
      pids.add(row!.pid)
      counts.push(row!.count)
    }
    assert.equal(pids.size, 3)
    assert.equal(Math.max(...counts), 99)
  })

  test('runs the statements that it has prepared, also if another one was used last', async () => {
    const pool = openPool({ target: { url }, poolSize: 2, statementTimeoutMs: 60_000 }, 'custom')
    const pidOf = async (name: string) => {
      const [row] = await pool.run<{ pid: number }>(
        `select pg_backend_pid() as pid, 'one of ${name}' from pg_sleep(0.01)`,
      )
      return row!.pid
    }
    const pids = await Promise.all([pidOf('these'), pidOf('those')])
    assert.notEqual(pids[0], pids[1])
    for (let n = 0; n < 3; n++) assert.deepEqual([await pidOf('these'), await pidOf('those')], pids)
    await pool.close()
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
