// Own fields of tasks: a trigger checks them against their declarations, whoever writes.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { app, id, insertData, web } from '../support/data.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const { sql } = await suiteDatabase(insertData)
const task = id('task', 2)

const declare = (name: string, type: string, project: string | null = null) =>
  sql`select workgate.add_field(${name}, ${type}, ${project})`
for (const type of ['text', 'number', 'boolean', 'date', 'list']) await declare(type, type)
await declare('onlyWeb', 'number', web)

const write = (fields: unknown) =>
  sql`update workgate.tasks set fields = ${sql.json(fields as never)} where project_id = ${web} and id = ${task} returning fields::text`
const stored = async (fields: unknown) => (await write(fields))[0]!['fields'] as string | null

// prettier-ignore
const accepted: [name: string, values: unknown[]][] = [
  ['text',    ['x', ' ', '0', 'none', 'a,b;c', '日本', 'x'.repeat(10_000)].filter((text) => text.trim())],
  ['number',  [0, -0.5, 5, 0.0001, 1_000_000_000, -1_000_000_000]],
  ['boolean', [true, false]],
  ['date',    ['0001-01-01', '2024-02-29', '9999-12-31']],
  ['list',    [['x'], ['b', 'a', 'b'], Array.from({ length: 100 }, (_, n) => String(n))]],
]

// prettier-ignore
const refused: [name: string, values: unknown[]][] = [
  ['text',    ['', ' \n', 5, true, ['x'], {}, 'x'.repeat(10_001)]],
  ['number',  ['5', true, [5], 0.00001, 1_000_000_000.0001, -1_000_000_001]],
  ['boolean', ['true', 1, [true]]],
  ['date',    ['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '0000-01-01', '2026-1-1', '2026-11-21T00:00:00Z', 20261121, ' 2026-11-21']],
  ['list',    [[], 'x', ['x', ''], ['x', 5], [['x']], [null], Array.from({ length: 101 }, () => 'x')]],
]

for (const [name, values] of accepted)
  test(`a ${name} can be ${values.length} values`, async () => {
    for (const value of values) assert.deepEqual(JSON.parse((await stored({ [name]: value }))!), { [name]: value })
  })

for (const [name, values] of refused)
  test(`a ${name} cannot be ${values.length} others`, async () => {
    for (const value of values)
      await assert.rejects(write({ [name]: value }), { code: 'WG014', message: `the own field "${name}" of a task has no value of the type ${name}` }, JSON.stringify(value)) // prettier-ignore
  })

test('fields that are null are left out, numbers are stored in one way, and an empty object is null', async () => {
  await sql`update workgate.tasks set fields = '{"number": 5.00, "text": null}' where project_id = ${web} and id = ${task}`
  const [row] = await sql`select fields::text from workgate.tasks where project_id = ${web} and id = ${task}`
  assert.equal(row!['fields'], '{"number": 5}')
  assert.equal(await stored({ text: null }), null)
  assert.equal(await stored({}), null)
})

test('a field must be declared for the project of the task or for all', async () => {
  const undeclared = (name: string) => ({ code: 'WG014', message: `the own field "${name}" of a task is not declared for its project` }) // prettier-ignore
  await assert.rejects(write({ number: 1, sprint: 'x' }), undeclared('sprint'))
  assert.equal(await stored({ onlyWeb: 1 }), '{"onlyWeb": 1}')
  await assert.rejects(sql`insert into workgate.tasks (project_id, title, fields) values (${app}, 'x', '{"onlyWeb": 1}')`, undeclared('onlyWeb')) // prettier-ignore
})

test('only an object of at most 50 names and 16 KB is accepted', async () => {
  for (const value of [[], 'x', 5, true]) await assert.rejects(write(value), { code: '23514' }, JSON.stringify(value))
  const names = Array.from({ length: 51 }, (_, n) => `n${n}`)
  for (const name of names) await declare(name, 'number')
  const of = (some: string[]) => Object.fromEntries(some.map((name, n) => [name, n]))
  await write(of(names.slice(1)))
  const tooLarge = { code: '23514', message: 'a task can have at most 50 own fields, and 16 KB of them' }
  await assert.rejects(write(of(names)), tooLarge)
  await assert.rejects(write({ list: ['x'.repeat(8_200), 'x'.repeat(8_200)] }), tooLarge)
})

describe('a declaration', () => {
  const conflict = { code: 'WG014', message: /^the field "\w+" is already declared with the type (number|text)$/ }

  test('is repeated without effect, also for a project that has the field of all', async () => {
    await declare('number', 'number')
    await declare('number', 'number', app)
    const [row] = await sql`select count(*)::integer as n from workgate.fields where name = 'number'`
    assert.equal(row!['n'], 1)
  })

  test('cannot contradict one for all, nor one for a project', async () => {
    await assert.rejects(declare('number', 'text'), conflict)
    await assert.rejects(declare('number', 'text', app), conflict)
    await assert.rejects(declare('onlyWeb', 'text'), conflict)
    // Of another project.
    await declare('onlyWeb', 'text', app)
    await assert.rejects(declare('onlyWeb', 'number'), conflict)
  })

  test('cannot contradict one that another transaction is making', async () => {
    const other = await sql.reserve()
    await other`begin`
    await other`select workgate.add_field('both', 'number')`
    const second = declare('both', 'text', web).catch((error: Error) => error)
    for (;;) {
      const [waiting] = await sql`select from pg_locks where not granted and locktype = 'advisory'`
      if (waiting) break
    }
    await other`commit`
    other.release()
    assert.match(String(await second), /already declared with the type number/)
  })

  test('cannot change, nor have a name of another form or an unknown type', async () => {
    await assert.rejects(sql`update workgate.fields set type = 'text' where name = 'number'`, { code: 'WG014' })
    for (const name of ['', 'Points', 'story points', 'story-points', '1st', 'größe', 'x'.repeat(49)])
      await assert.rejects(declare(name, 'number'), { constraint_name: 'fields_name_form' }, name)
    await assert.rejects(declare('json', 'json'), { constraint_name: 'fields_type' })
  })

  test('goes with its project', async () => {
    const [project] = await sql`insert into workgate.projects (key, name) values ('GONE', 'x') returning id`
    await declare('gone', 'text', project!['id'] as string)
    await sql`insert into workgate.tasks (project_id, title, fields) values (${project!['id'] as string}, 'x', '{"gone": "x"}')`
    await sql`delete from workgate.projects where key = 'GONE'`
    assert.deepEqual([...(await sql`select from workgate.fields where name = 'gone'`)], [])
  })
})

test('the history has the fields before and after a change', async () => {
  await write({ number: 3 })
  await write({ number: 5, text: 'x' })
  const [row] = await sql`
    select changes from workgate.task_history where project_id = ${web} and task_id = ${task} order by version desc limit 1`
  assert.deepEqual(row!['changes'], { fields: { from: { number: 3 }, to: { text: 'x', number: 5 } } })
  await write(null)
  const [last] = await sql`
    select changes from workgate.task_history where project_id = ${web} and task_id = ${task} order by version desc limit 1`
  assert.deepEqual(last!['changes'], { fields: { from: { text: 'x', number: 5 }, to: {} } })
})
