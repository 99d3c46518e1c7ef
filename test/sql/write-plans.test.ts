// Writes in a project have generic plans, which each connection keeps for a while.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Parameter } from '../../src/db/pool/connection.ts'
import type { RunOptions, Runner } from '../../src/db/pool/pool.ts'
import type { Params } from '../../src/db/statements/template.ts'
import { writeQuery } from '../../src/api/writes/write.ts'
import { completeTaskSql } from '../../src/resources/tasks/complete-task.ts'
import { createTaskSql } from '../../src/resources/tasks/create-task.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'

const create = writeQuery(createTaskSql)
const complete = writeQuery(completeTaskSql)
const id = '00000000-0000-7000-8006-000000000001'
const plain: Params = {
  ...Object.fromEntries([...create.names, ...complete.names].map((name) => [name, null])),
  projectId: id,
  idempotencyProjectId: id,
  title: 'New',
  priority: 'none',
}

// prettier-ignore
const writes = [
  ['a new task',                           create,   {},                                           /projects_pkey/],
  ['a new task with an Idempotency-Key',   create,   { idempotencyKey: 'one' },                    /projects_pkey/],
  ['a new task with a parent',             create,   { parentId: id, tags: ['one'] },              /tasks_pkey.*\n *Index Cond: \(\(project_id = .* AND \(id =/],
  ['a new task with the number of its parent', create, { parentId: '7' },                           /tasks_number_taken.*\n *Index Cond: \(\(project_id = .* AND \(number =/],
  ['a completed task',                     complete, { taskId: id },                               /tasks_pkey.*\n *Index Cond: \(\(project_id = .* AND \(id =/],
  ['a task completed if it matches',       complete, { taskId: id, ifMatchVersions: ['1'] },       /tasks_pkey.*\n *Index Cond: \(\(project_id = .* AND \(id =/],
] as const

const { sql, url } = await suiteDatabase(async (sql) => {
  // Inserting the rows below is faster without triggers. Disabling them later would discard the plans.
  await sql.unsafe('alter table workgate.tasks disable trigger all')
  // PostgreSQL now knows that the tables are empty, and a plan that reads all their rows looks as good as any other.
  await sql.unsafe('vacuum analyze')
})
const db = suitePool(url)

const prepared = new Map<string, { text: string; options: RunOptions }>()

/** Prepares a statement instead of running it. */
const preparing = (name: string): Runner => ({
  async run<Row>(text: string, values: readonly Parameter[] = [], options: RunOptions = {}) {
    await db.run(`prepare "${name}" as ${text}`)
    const literals = values.map((value) => (value === null ? 'null' : `'${value}'`))
    prepared.set(name, { text: `explain (costs off) execute "${name}" (${literals})`, options })
    return [] as Row[]
  },
})

async function explain(name: string): Promise<string> {
  const { text, options } = prepared.get(name)!
  const lines = await db.run<Record<string, string>>(text, [], options)
  return lines.flatMap((line) => Object.values(line)).join('\n')
}

test(
  'a plan made while the tables were empty is soon replaced by one that finds single rows',
  { timeout: 60_000 },
  async () => {
    for (const [name, write, params, index] of writes) {
      const given: Params = { ...plain, ...params }
      await write(preparing(name), Object.fromEntries(write.names.map((each) => [each, given[each] ?? null])))
      const plan = await explain(name)
      assert.match(plan, /= \$\d/, 'a generic plan')
      assert.doesNotMatch(plan, index)
    }
    await sql.unsafe(`
    insert into workgate.projects (id, key, name) select id, 'P' || n, n
    from (select n, case n when 1 then '${id}' else gen_random_uuid() end as id from generate_series(1, 5000) n) p;
    insert into workgate.tasks (project_id, number, title) select '${id}', n, n from generate_series(1, 5000) n`)
    for (const [name, , , index] of writes) {
      while (!index.test(await explain(name))) await setImmediate()
    }
  },
)
