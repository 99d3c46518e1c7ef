// Imports at the same time: into different projects they do not wait for each other, and into one they do.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { imports } from '../../src/commands/imports/imports.ts'
import { people } from '../../src/commands/people/people.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { until } from '../faults/fixtures/embedded.ts'
import { countBlocked, lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import { commandRunner } from '../support/run-command.ts'
import { createImporter } from './importing.ts'

const { workgate, sql } = await contractSuite()
const { importText } = await createImporter(workgate.url)
const runImports = commandRunner(imports, workgate.url)
const runPeople = commandRunner(people, workgate.url)

/** Each row is "externalId,title,assignee,project". */
const load = (rows: string[], ...args: string[]) =>
  importText('tasks.csv', ['externalId,title,assignee,project', ...rows].join('\n'), ...args)
const idOf = async (key: string) => (await sql`select id from workgate.projects where key = ${key}`)[0]!['id'] as string
const lastImport = async () => (await sql`select max(id)::text as id from workgate.imports`)[0]!['id'] as string
const titlesIn = async (key: string) =>
  (await sql`select title from workgate.tasks where project_id = ${await idOf(key)} order by title`).map(
    ({ title }) => title as string,
  )

/** Runs the work while an import into the project is open in its transaction. Returns what became of the import. */
async function whileOpen(project: string, rows: string[], work: () => Promise<unknown>) {
  let open: ReturnType<typeof load> | undefined
  await whileLocked(sql, lockTasks(await idOf(project)), async () => {
    open = load(rows, '--project', project)
    await untilBlocked(sql)
    await work()
  })
  return open!
}

/** Fails if the work waits for the open import, which would otherwise wait for the end of the test. */
async function withoutWaiting<Result>(work: Promise<Result>): Promise<Result> {
  let hasEnded = false
  const ended = work.finally(() => {
    hasEnded = true
  })
  await until('it ends or waits', async () => hasEnded || (await countBlocked(sql)) > 1)
  assert.ok(hasEnded, 'it waits for the open import')
  return ended
}

describe('While an import is open', { concurrency: false }, () => {
  before(async () => {
    for (const key of ['ONE', 'TWO']) await load([`1,First of ${key},Ada,`], '--project', key)
    // An import of a project that the user has named does not change it.
    await sql`update workgate.users set name = 'Ada King' where name = 'Ada'`
  })

  test('one into another project goes through, and so does its undo', async () => {
    const open = await whileOpen('ONE', ['2,Second,Grace,'], async () => {
      const { error, counts } = await withoutWaiting(load(['2,Second,Ada,'], '--project', 'TWO'))
      assert.deepEqual([error, counts['tasks']], [undefined, { created: 1 }])
      assert.deepEqual(await titlesIn('TWO'), ['First of TWO', 'Second'])
      assert.equal((await withoutWaiting(runImports(['undo', await lastImport(), '--yes']))).error, undefined)
      assert.deepEqual(await titlesIn('TWO'), ['First of TWO'])
    })
    assert.deepEqual([open.error, open.counts['tasks']], [undefined, { created: 1 }])
  })

  test('one into the same project waits, and then sees what the other has written', async () => {
    let second: ReturnType<typeof load> | undefined
    const first = await whileOpen('ONE', ['3,Third,Ada,'], async () => {
      second = load(['3,Third,Ada,'], '--project', 'ONE')
      await untilBlocked(sql, 2)
    })
    assert.deepEqual([first.error, first.counts['tasks']], [undefined, { created: 1 }])
    const { error, counts } = await second!
    assert.deepEqual([error, counts['tasks']], [undefined, { unchanged: 1 }])
  })

  test('one into several projects waits for it, whatever the file calls them', async () => {
    let second: ReturnType<typeof load> | undefined
    const first = await whileOpen('TWO', ['3,Third,Ada,'], async () => {
      second = load(['1,First of ONE,Ada,ONE', '3,Third,Ada,TWO'])
      await untilBlocked(sql, 2)
    })
    assert.equal(first.error, undefined)
    const { error, counts } = await second!
    assert.deepEqual([error, counts['tasks']], [undefined, { unchanged: 2 }])
  })

  test('an undo in the same project waits', async () => {
    await load(['4,Fourth,Ada,'], '--project', 'ONE')
    const id = await lastImport()
    let undone: ReturnType<typeof runImports> | undefined
    const open = await whileOpen('ONE', ['4,Four,Ada,', '5,Fifth,Ada,'], async () => {
      undone = runImports(['undo', id, '--yes'])
      await untilBlocked(sql, 2)
    })
    assert.equal(open.error, undefined)
    const { errorName, out } = await undone!
    assert.equal(errorName, 'IncompleteError')
    assert.match(out, /left as they are:\n {2}ONE-\d+ Four$/m)
  })

  test('an undo that deletes people waits, also in another project', async () => {
    await load(['6,Sixth,Linus,'], '--project', 'TWO')
    const id = await lastImport()
    let undone: ReturnType<typeof runImports> | undefined
    const open = await whileOpen('ONE', ['6,Sixth,Linus,'], async () => {
      undone = runImports(['undo', id, '--yes'])
      await untilBlocked(sql, 2)
    })
    assert.equal(open.error, undefined)
    assert.equal((await undone!).error, undefined)
    assert.equal((await sql`select from workgate.users where name = 'Linus'`).length, 1)
  })

  test('people are merged after it', async () => {
    let merged: ReturnType<typeof runPeople> | undefined
    const open = await whileOpen('ONE', ['7,Seventh,Linus,'], async () => {
      merged = runPeople(['merge', 'Ada King', 'Linus', '--yes'])
      await untilBlocked(sql, 2)
    })
    assert.equal(open.error, undefined)
    assert.equal((await merged!).error, undefined)
  })
})

describe('Two imports at once', { concurrency: false }, () => {
  const names = async (name: string) => (await sql`select from workgate.users where name = ${name}`).length

  test('that bring the same new person create one', async () => {
    let second: ReturnType<typeof load> | undefined
    const first = await whileOpen('ONE', ['8,Eighth,Barbara <barbara@example.org>,'], async () => {
      second = load(['8,Eighth,Barbara <barbara@example.org>,'], '--project', 'TWO')
      await untilBlocked(sql, 2)
    })
    assert.deepEqual([first.error, first.counts['users']], [undefined, { created: 1 }])
    const { error, counts } = await second!
    assert.deepEqual([error, counts['users'], counts['tasks']], [undefined, { unchanged: 1 }, { created: 1 }])
    assert.equal(await names('Barbara'), 1)
  })

  test('that bring the same new project create one', async () => {
    let all: ReturnType<typeof load>[] = []
    await whileLocked(sql, 'lock table workgate.tasks in share mode', async () => {
      for (const n of [1, 2]) {
        all = [...all, load(['1,One,Edsger,', `${n + 1},Own,Edsger,`], '--project', 'THREE')]
        await untilBlocked(sql, n)
      }
    })
    const [first, second] = await Promise.all(all)
    assert.deepEqual([first!.error, second!.error], [undefined, undefined])
    assert.deepEqual([first!.counts['projects'], second!.counts['projects']], [{ created: 1 }, { unchanged: 1 }])
    assert.deepEqual([first!.counts['tasks'], second!.counts['tasks']], [{ created: 2 }, { created: 1, unchanged: 1 }])
    assert.equal(await names('Edsger'), 1)
  })
})
