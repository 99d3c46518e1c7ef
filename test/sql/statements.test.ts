// PostgreSQL accepts every statement as it stands, the lists walk their indexes, and the setting that keeps their
// plans good is there.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { migrations } from '../../src/db/migrations.ts'
import { bind, prepare, query, type Params } from '../../src/db/query.ts'
import { pageQuery } from '../../src/lists/list.ts'
import { writeQuery } from '../../src/writes/write.ts'
import { freshDatabase, type Sql } from '../support/workgate.ts'
import boards from '../../sql/boards/boards.sql'
import stages from '../../sql/boards/stages.sql'
import users from '../../sql/members/users.sql'
import projects from '../../sql/projects/projects.sql'

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
  // Scripts of several statements: migrations run in each test, the demo's in its own.
  const scripts = /^(migrations|demo)\/|prepare-migrations/
  const folders = await readdir('sql')
  const files = (
    await Promise.all(
      folders.map(async (folder) => (await readdir(join('sql', folder))).map((file) => `${folder}/${file}`)),
    )
  ).flat()

  for (const file of files.filter((file) => !scripts.test(file))) {
    test(`${file} is accepted by PostgreSQL and says what it is for`, async () => {
      const text = await readFile(join('sql', file), 'utf8')
      assert.match(text, /^-- \S/, 'the first line is a comment')
      // What stands around others is accepted with what stands in it.
      if (/page|write\.sql$/.test(file)) return
      const { text: whole } = /create-|complete-/.test(file) ? writeQuery(text).statement : prepare(text)
      await sql.unsafe(whole).describe()
    })
  }

  test('every migration in the folder is in the list, in order', async () => {
    const inFolder = (await readdir('sql/migrations')).sort().map((file) => file.replace('.sql', ''))
    assert.deepEqual(
      migrations.map(({ name }) => name),
      inFolder,
    )
  })
})

describe('parameters', () => {
  test('are found beside casts, comments and quotes, each once', () => {
    const { text, names } = prepare(`select ':a', ":b", c::text, :d::int, :e, :d -- :f\n`)
    assert.deepEqual(names, ['d', 'e'])
    assert.equal(text, `select ':a', ":b", c::text, $1::int, $2, $1 -- :f\n`)
  })

  test('must all be given, and no other', () => {
    const statement = prepare('select :a, :b')
    assert.deepEqual(bind(statement, { a: 1, b: null }), [1, null])
    assert.throws(() => bind(statement, { a: 1 }), /needs the parameter b/)
    assert.throws(() => bind(statement, { a: 1, b: 2, c: 3 }), /no parameter c/)
  })

  test('keep what is in a list as it is', async () => {
    const values = ['a', 'b,c', '"', '\\', '{}', 'null', '', "'", ' é']
    const [row] = await query<{ list: string }>('select array_to_json(:list::text[])::text as list')(db, {
      list: values,
    })
    assert.deepEqual(JSON.parse(row!.list), values)
  })
})

describe('values', () => {
  test('times keep their microseconds, and JSON its text, both ways', async () => {
    const time = '2026-01-01 00:00:00.123456+00'
    const json = '{"b": 1,  "a": [null]}'
    const find = query<Record<string, unknown>>(
      'select :time::timestamptz as time, :json::json as json, :day::date as day',
    )
    assert.deepEqual({ ...(await find(db, { time, json, day: '2026-02-03' }))[0] }, { time, json, day: '2026-02-03' })
  })

  test('a value that PostgreSQL cannot read is its error, with its code', async () => {
    await assert.rejects(query('select :time::timestamptz')(db, { time: 'soon' }), { code: '22007' })
  })
})

describe('plans', () => {
  const project = '00000000-0000-7000-8003-000000000001'

  before(async () => {
    await sql.unsafe(`
      insert into workgate.projects (id, key, name, created_at, updated_at)
      select ('00000000-0000-7000-8003-' || lpad(n::text, 12, '0'))::uuid, 'P' || n, 'Name ' || n, timestamp '2026-01-01' + n * interval '1 minute', '2026-01-01'
      from generate_series(1, 5000) n;
      insert into workgate.boards (project_id, name, position) select p.id, 'Board ' || n, n from workgate.projects p, generate_series(1, 2) n;
      insert into workgate.boards (project_id, name, position) select '${project}', 'Board ' || n, n from generate_series(3, 3000) n;
      insert into workgate.stages (project_id, board_id, name, category, position) select project_id, id, 'x', 'done', position from workgate.boards;
      analyze workgate.projects, workgate.boards, workgate.stages;
    `)
  })

  const nothing = { after: null, afterId: null, limit: 50 }
  const ofProjects: Params = {
    ...nothing,
    projectId: null,
    allProjects: true,
    projectIds: [],
    id: null,
    status: null,
    q: null,
    createdAfter: null,
    createdBefore: null,
    updatedAfter: null,
    updatedBefore: null,
  }
  const ofBoards: Params = { ...nothing, projectId: project, archived: null }
  const ofStages: Params = { ...nothing, projectId: project, boardId: null, category: null }
  const position = { afterId: project }

  // prettier-ignore
  const walks: [claim: string, rows: string, params: Params, index: RegExp][] = [
    ['projects by createdAt, from the top',  projects, { ...ofProjects, sort: '-createdAt' },                                                /Scan Backward using projects_by_created_at/],
    ['projects by createdAt, deep',          projects, { ...ofProjects, ...position, sort: '-createdAt', after: '2026-01-02T00:00:00.000Z' }, /Scan Backward using projects_by_created_at.*Index Cond: \(ROW/s],
    ['projects by name, deep',               projects, { ...ofProjects, ...position, sort: 'name', after: 'name 4' },                         /Scan using projects_by_name.*Index Cond: \(ROW/s],
    ['projects by updatedAt, deep',          projects, { ...ofProjects, ...position, sort: 'updatedAt', after: '2026-01-01T00:00:00.000Z' },  /Scan using projects_by_updated_at.*Index Cond: \(ROW/s],
    ['projects in a range of creation',      projects, { ...ofProjects, sort: '-createdAt', createdAfter: '2026-01-02T00:00:00Z' },           /projects_by_created_at.*Index Cond: .*created_at/s],
    ['one project',                          projects, { ...ofProjects, sort: 'id', id: project, limit: 1 },                          /projects_pkey.*Index Cond: \(id/s],
    ['boards by position, deep',             boards,   { ...ofBoards, ...position, sort: 'position', after: '100' },                          /Scan using boards_by_position.*Index Cond: \(\(project_id.*ROW/s],
    ['boards by name, deep',                 boards,   { ...ofBoards, ...position, sort: '-name', after: 'board 4' },                         /Scan Backward using boards_by_name.*Index Cond: \(\(project_id.*ROW/s],
    ['boards that are not archived',         boards,   { ...ofBoards, sort: 'position', archived: false },                                    /Scan using boards_by_position/],
    ['stages by position, deep',             stages,   { ...ofStages, ...position, sort: '-position', after: '1000' },                        /Scan Backward using stages_by_position.*Index Cond: \(\(project_id.*ROW/s],
  ]
  const explain = async (rows: string, params: Params) => {
    const { statement } = pageQuery(rows)
    const plan = await db.run<{ 'QUERY PLAN': string }>(
      `explain (costs off) ${statement.text}`,
      bind(statement, params),
    )
    return plan.map((line) => line['QUERY PLAN']).join('\n')
  }

  for (const [claim, rows, params, index] of walks) {
    test(`${claim}: walks its index, sorts nothing, reads no table whole`, async () => {
      const plan = await explain(rows, params)
      assert.match(plan, index)
      assert.doesNotMatch(plan, /Sort|Seq Scan|IS NULL/, plan)
    })
  }

  test('a search of projects goes by its index', async () => {
    const plan = await explain(projects, { ...ofProjects, sort: '-createdAt', q: 'name 4711' })
    assert.match(plan, /Bitmap Index Scan on projects_by_terms/)
  })

  test('users of a project are found by the project, not by reading all users', async () => {
    await sql.unsafe(`
      insert into workgate.users (name, email) select 'User ' || n, n || '@example.org' from generate_series(1, 20000) n;
      insert into workgate.project_members (project_id, user_id) select '${project}', id from workgate.users limit 20;
      insert into workgate.project_members (project_id, user_id)
      select p.id, u.id from (select id from workgate.projects where id <> '${project}' limit 2) p, (select id from workgate.users limit 5000) u;
      analyze workgate.users, workgate.project_members;`)
    const params = { ...nothing, projectId: project, role: null, active: null, teamId: null, q: null, sort: 'name' }
    const plan = await explain(users, params)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  })

  // The tests above would pass without it: project_id alone keeps the generic plan good.
  test('plans are made for the values at hand: plan_cache_mode is force_custom_plan', async () => {
    const [row] = await db.run<{ plan_cache_mode: string }>('show plan_cache_mode')
    assert.equal(row!.plan_cache_mode, 'force_custom_plan')
  })
})
