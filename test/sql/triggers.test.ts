// Values that the database maintains for every writer: versions, times, task numbers, history, computed columns.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { app, id, insertData, web } from '../support/data.ts'
import { untilBlocked } from '../support/locks.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'
import { connect } from '../support/workgate.ts'

const { sql, url } = await suiteDatabase(insertData)

const newProject = async () => {
  const key = 'T' + Math.random().toString(36).slice(2, 10).toUpperCase()
  const [row] = await sql`insert into workgate.projects (key, name) values (${key}, 'x') returning id`
  return row!['id'] as string
}
const numbers = async (project: string) =>
  (await sql`select number from workgate.tasks where project_id = ${project} order by number`).map((row) =>
    Number(row['number']),
  )
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const history = (task: string) =>
  sql`select version::int, channel, actor, changes from workgate.task_history where project_id = ${web} and task_id = ${task} order by version`

describe('updated_at and version', () => {
  const tables = ['users', 'teams', 'projects', 'project_members', 'boards', 'stages', 'tasks'] as const
  for (const table of tables) {
    test(`updating ${table} sets updated_at only if a value changes`, async () => {
      const column = { project_members: 'role' }[table as string] ?? (table === 'tasks' ? 'title' : 'name')
      const past = `update workgate.${table} set updated_at = '2020-01-01'`
      await sql.begin(async (sql) => {
        await sql.unsafe(`alter table workgate.${table} disable trigger user`)
        await sql.unsafe(past)
        await sql.unsafe(`alter table workgate.${table} enable trigger user`)
      })
      await sql.unsafe(`update workgate.${table} set ${column} = ${column}`)
      const [same] = await sql.unsafe(`select max(updated_at) < '2021-01-01' as same from workgate.${table}`)
      assert.ok(same!['same'])
      await sql.unsafe(
        `update workgate.${table} set ${column} = ${table === 'project_members' ? `'viewer'` : `${column} || '!'`}`,
      )
      const [all] = await sql.unsafe(
        `select bool_and(updated_at between now() - interval '1 minute' and now() or ${table === 'project_members' ? `role = 'viewer'` : 'false'}) as changed from workgate.${table}`,
      )
      assert.ok(all!['changed'])
    })
  }

  test('a version counts the changes of its row, whatever value the writer sets', async () => {
    const project = await newProject()
    await sql`update workgate.projects set name = 'y', version = 99 where id = ${project}`
    await sql`update workgate.projects set name = 'z' where id = ${project}`
    const [row] = await sql`select version::int from workgate.projects where id = ${project}`
    assert.equal(row!['version'], 3)
  })
})

test('an insert of a task that has ended takes the time of the end from updated_at', async () => {
  const project = await newProject()
  const rows = await sql`
    insert into workgate.tasks (project_id, title, state, updated_at)
    values (${project}, 'x', 'completed', '2026-01-02Z'), (${project}, 'y', 'cancelled', '2026-01-03Z')
    returning workgate.iso(completed_at) as completed, workgate.iso(cancelled_at) as cancelled`
  assert.deepEqual(
    [...rows],
    [
      { completed: '2026-01-02T00:00:00.000Z', cancelled: null },
      { completed: null, cancelled: '2026-01-03T00:00:00.000Z' },
    ],
  )
})

describe('the parents of tasks', () => {
  const ids = ['a', 'b', 'c', 'd'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`)
  const [a, b, c, d] = ids as [string, string, string, string]
  const insert = (project: string, ...pairs: [id: string, parent: string | null][]) =>
    sql`insert into workgate.tasks ${sql(pairs.map(([id, parent_id]) => ({ project_id: project, id, parent_id, title: 'x' })))}`
  const cycle = { code: 'WG011', message: /^the parents of task [-0-9a-f]{36} form a cycle$/ }

  test('can be given in any order, and can be exchanged', async () => {
    const project = await newProject()
    await insert(project, [c, b], [b, a], [a, null], [d, a])
    // In between, b is the parent of a, and a still the parent of b.
    await sql`
      update workgate.tasks
      set parent_id = case id when ${a} then ${b}::uuid when ${b} then null else parent_id end
      where project_id = ${project}`
    const [row] = await sql`select parent_id from workgate.tasks where project_id = ${project} and id = ${a}`
    assert.equal(row!['parent_id'], b)
  })

  test('form no cycle', async () => {
    const project = await newProject()
    await assert.rejects(insert(project, [a, c], [b, a], [c, b]), cycle)
    await insert(project, [a, null], [b, a], [c, b])
    await assert.rejects(
      sql`update workgate.tasks set parent_id = ${c} where project_id = ${project} and id = ${a}`,
      cycle,
    )
    await assert.rejects(
      sql`update workgate.tasks set parent_id = ${a}, title = 'y' where project_id = ${project} and id = ${a}`,
    )
  })

  test('form no cycle through two transactions', async () => {
    const project = await newProject()
    await insert(project, [a, null], [b, null], [c, b])
    const other = connect(url, { max: 1 })
    const parent = (id: string, of: string, db = sql) =>
      db`update workgate.tasks set parent_id = ${of} where project_id = ${project} and id = ${id}`
    try {
      let second: Promise<unknown> | undefined
      await sql.begin(async (tx) => {
        await parent(a, c, tx as unknown as typeof sql)
        second = parent(b, a, other).then(
          () => assert.fail('it closed a cycle'),
          (error: unknown) => error,
        )
        await untilBlocked(sql)
      })
      assert.equal(((await second) as { code: string }).code, 'WG011')
    } finally {
      await other.end()
    }
  })
})

describe('task numbers', () => {
  test('count up in each project, and "returning" returns them', async () => {
    const project = await newProject()
    const rows =
      await sql`insert into workgate.tasks (project_id, title) values (${project}, 'a'), (${project}, 'b') returning number`
    assert.deepEqual(
      rows.map((row) => Number(row['number'])),
      [1, 2],
    )
  })

  test('a bulk insert into several projects leaves no gaps or duplicates', async () => {
    const [one, two] = [await newProject(), await newProject()]
    await sql`insert into workgate.tasks (project_id, title) select case n % 3 when 0 then ${one}::uuid else ${two}::uuid end, 'x' from generate_series(1, 3000) n`
    assert.deepEqual(await numbers(one), upTo(1000))
    assert.deepEqual(await numbers(two), upTo(2000))
    const [row] =
      await sql`select max(version)::int as version, count(*)::int as entries from workgate.tasks join workgate.task_history using (project_id, version) where project_id = ${one} and task_id = id`
    assert.deepEqual({ ...row }, { version: 1, entries: 1000 }, 'numbering is not a change of the task')
  })

  test('an explicit number is kept, and the sequence continues after it', async () => {
    const project = await newProject()
    await sql`insert into workgate.tasks (project_id, title, number) values (${project}, 'a', 7)`
    await sql`insert into workgate.tasks (project_id, title) values (${project}, 'b')`
    await sql`insert into workgate.tasks (project_id, title, number) values (${project}, 'c', 20), (${project}, 'd', null)`
    await sql`insert into workgate.tasks (project_id, title) values (${project}, 'e')`
    assert.deepEqual(await numbers(project), [7, 8, 20, 21, 22])
  })

  test('the number of a deleted task is not used again', async () => {
    const project = await newProject()
    await sql`insert into workgate.tasks (project_id, title) values (${project}, 'a'), (${project}, 'b')`
    await sql`delete from workgate.tasks where project_id = ${project}`
    await sql`insert into workgate.tasks (project_id, title) values (${project}, 'c')`
    assert.deepEqual(await numbers(project), [3])
  })

  test('concurrent transactions, some rolled back, leave no gaps', async () => {
    const project = await newProject()
    const insert = (n: number) =>
      sql
        .begin(async (sql) => {
          await sql`insert into workgate.tasks (project_id, title) select ${project}, 'x' from generate_series(1, ${1 + (n % 3)})`
          if (n % 4 === 0) throw new Error('rolled back')
        })
        .catch((error: Error) => assert.equal(error.message, 'rolled back'))
    await Promise.all(upTo(40).map(insert))
    const found = await numbers(project)
    assert.deepEqual(found, upTo(found.length))
    assert.ok(found.length >= 30)
  })

  test('setting the number of a task to null does not change it', async () => {
    await sql`update workgate.tasks set number = null where project_id = ${web} and id = ${id('task', 1)}`
    assert.deepEqual(await numbers(web), [1, 2, 3])
  })
})

describe('tasks', () => {
  test('the board is filled in from the stage on insert and update', async () => {
    const project = web
    const [row] =
      await sql`insert into workgate.tasks (project_id, title, stage_id) values (${project}, 'x', ${id('stage', 4)}) returning id, board_id`
    assert.equal(row!['board_id'], id('board', 3))
    const [moved] =
      await sql`update workgate.tasks set stage_id = ${id('stage', 3)} where project_id = ${project} and id = ${row!['id']} returning board_id`
    assert.equal(moved!['board_id'], id('board', 1))
    await sql`delete from workgate.tasks where project_id = ${project} and id = ${row!['id']}`
  })
})

describe('history', () => {
  test('the settings of a writer determine channel and actor', async () => {
    const task = id('task', 1)
    const write = (actor: string) =>
      sql.begin(async (sql) => {
        await sql`select set_config('workgate.channel', 'import', true), set_config('workgate.actor', ${actor}, true)`
        await sql`update workgate.tasks set title = ${actor || 'x'} where project_id = ${web} and id = ${task}`
      })
    for (const [setting, actor] of [
      ['nightly job', { name: 'nightly job' }],
      ['{"keyId": "a"}', { keyId: 'a' }],
      ['{not json', { name: '{not json' }],
      ['', { role: 'workgate' }],
    ] as const) {
      await write(setting)
      const last = (await history(task)).at(-1)!
      assert.deepEqual([last['channel'], last['actor']], ['import', actor])
    }
  })

  for (const become of ['role', 'session authorization']) {
    test(`a writer with privileges only on tasks is recorded by its role after "set ${become}"`, async () => {
      const written = sql.begin(async (sql) => {
        await sql`create role loader`
        await sql`grant usage on schema workgate to loader`
        await sql`grant select, insert, update, delete on workgate.tasks to loader`
        await sql.unsafe(`set local ${become} loader`)
        const [{ id }] =
          (await sql`insert into workgate.tasks (project_id, title) values (${web}, 'x') returning id`) as [
            { id: string },
          ]
        await sql`update workgate.tasks set title = 'y' where project_id = ${web} and id = ${id}`
        await sql`insert into workgate.tasks (project_id, title) select ${web}, 'x' from generate_series(1, 200)`
        await sql.unsafe(`set local ${become} workgate`)
        const roles = await sql`select actor->>'role' as role from workgate.task_history where task_id = ${id}`
        throw new Error(roles.map(({ role }) => role).join())
      })
      await assert.rejects(written, { message: 'loader,loader' })
    })
  }
})

test('functions that disable a plan type also disable JIT, because their plans look expensive', async () => {
  const functions = await sql`
    select proname as name, 'jit=off' = any (proconfig) as safe
    from pg_proc
    where pronamespace = 'workgate'::regnamespace
      and array_to_string(proconfig, ' ') like '%enable\_%=off%'`
  assert.ok(functions.length >= 2)
  for (const { name, safe } of functions) assert.ok(safe, name)
})

describe('computed columns', () => {
  test('duration_seconds of a time entry is null while it runs', async () => {
    const rows = await sql`
      insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
      select ${web}, ${id('task', 1)}, ${id('user', 1)}, '2026-01-01', '2026-01-01T10:00:00Z', ends
      from unnest(array['2026-01-01T11:00:01.999Z', null]::timestamptz[]) as ends
      returning duration_seconds::int as seconds`
    assert.deepEqual(valuesOf(rows, 'seconds'), [3601, null])
  })

  test('a document has size, word count, headings and hash, and its revision counts changes of the text', async () => {
    const text =
      '# Títle\n\nfoo bar\n===\n\n```\n# code\n```\n~~~~\n## tilde\n~~~\n~~~~\n## Two ##\n- item\n---\n    # indented\n####### seven\n#no space\n### '
    const [row] =
      await sql`insert into workgate.documents (project_id, path, title, markdown) values (${app}, 'a.md', 'A', ${text}) returning *`
    assert.equal(row!['size_bytes'], Buffer.byteLength(text))
    assert.equal(row!['word_count'], text.match(/\S+/g)!.length)
    assert.deepEqual(row!['headings'], [
      { level: 1, text: 'Títle' },
      { level: 1, text: 'foo bar' },
      { level: 2, text: 'Two' },
    ])
    assert.equal(row!['sha256'], (await import('node:crypto')).createHash('sha256').update(text).digest('hex'))
    const change = async (markdown: string, title: string) =>
      (
        await sql`update workgate.documents set markdown = ${markdown}, title = ${title} where project_id = ${app} returning revision, word_count`
      )[0]!
    assert.deepEqual({ ...(await change(text, 'B')) }, { revision: 1, word_count: row!['word_count'] })
    assert.deepEqual({ ...(await change('one', 'B')) }, { revision: 2, word_count: 1 })
  })

  test('ids of new rows are version 7 UUIDs in order of time', async () => {
    const rows = await sql`select workgate.new_id() as id, pg_sleep(0.002) from generate_series(1, 5)`
    const ids = rows.map((row) => row['id'] as string)
    for (const one of ids) assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual([...ids].sort(), ids)
    const time = parseInt(ids[0]!.replace('-', '').slice(0, 12), 16)
    assert.ok(Math.abs(time - Date.now()) < 60_000)
  })
})
