// Disabled foreign keys and the orphans that they let through: the doctor finds and repairs them, backup warns of them, and
// a restore that fails because of them says what to do.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { backup } from '../../src/commands/backup/backup.ts'
import { restore } from '../../src/commands/backup/restore.ts'
import { IncompleteError, type CommandContext } from '../../src/commands/command-context.ts'
import { doctor } from '../../src/commands/doctor/doctor.ts'
import { readConfig } from '../../src/config/config.ts'
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { id, insertData, web } from '../support/data.ts'
import { commandContext, examine } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { withoutTriggers } from '../support/triggers.ts'
import { asLeast } from '../support/workgate.ts'
import workgateApiSql from '../../sql/roles/workgate-api.sql'

const { sql, url } = await suiteDatabase(insertData)
const folder = await mkdtemp(join(tmpdir(), 'workgate-repair-'))
after(() => rm(folder, { recursive: true }))
const file = join(folder, 'workgate.backup')

const look = (...args: string[]) => examine({ DATABASE_URL: url }, ...args)

/** Runs a command in this process. Returns the text that it prints. */
async function run(
  command: (context: CommandContext) => Promise<void>,
  url: string,
  args: string[],
  ask?: CommandContext['ask'],
) {
  const lines: string[] = []
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  const error = await command({ ...context, args, ask, print: (text) => lines.push(text) }).then(() => undefined, (error: Error) => error) // prettier-ignore
  return { text: lines.join('\n'), error }
}

const found = '3 rows of files (files_comment_of_task), 1 row of tasks (tasks_parent)'
const removal = 'clear parent_id in 1 row of tasks, delete 3 rows of files and the rows that refer to them'
const withOrphans = async () => {
  await sql`insert into workgate.tasks (project_id, id, title) values (${web}, ${id('task', 9)}, 'Parent')`
  await sql`update workgate.tasks set parent_id = ${id('task', 9)} where id = ${id('task', 3)}`
  await withoutTriggers(sql, `
    delete from workgate.comments where id = '${id('comment', 2)}';
    delete from workgate.tasks where id = '${id('task', 9)}';
    delete from workgate.task_history where task_id = '${id('task', 9)}'`) // prettier-ignore
}

describe('foreign keys', { concurrency: false }, () => {
  test('disabled foreign keys are reported by name, and enabled', async () => {
    const disabled = async () =>
      (await sql`select from pg_trigger where tgrelid = 'workgate.tasks'::regclass and tgenabled = 'D'`).length
    await sql`alter table workgate.tasks disable trigger all`
    assert.ok((await disabled()) > 20)
    const { state, finding, advice } = (await look()).of('triggers')
    assert.deepEqual([state, advice], ['fault', 'Run "workgate doctor --repair".'])
    assert.match(finding, /: foreign key comments_task on workgate\.tasks, .* and \d+ more\.$/)
    assert.match(
      (await look('--repair')).line('triggers'),
      /^ok: Repaired: foreign key comments_task on workgate\.tasks, /,
    )
    assert.equal(await disabled(), 0)
    await sql`alter table workgate.tasks disable trigger all`
    await sql`select workgate.enable_triggers()`
    assert.equal(await disabled(), 0)
    assert.equal((await look()).line('triggers'), 'ok: All triggers are enabled for the right replication role')
  })

  test('a role that may not read all tables is told to run the doctor as the owner', async () => {
    await sql.unsafe(workgateApiSql)
    const { line } = await examine({ DATABASE_URL: asLeast(url) })
    assert.match(line('orphans'), /^warning: The role lacks the privilege/)
  })

  test('orphans are counted by table, and --repair removes nothing that nobody has confirmed', async () => {
    await withOrphans()
    const fault = `fault: Rows refer to rows that do not exist, so a backup could not be restored: ${found}.`
    const advised = async (...args: string[]) => {
      const { of, line } = await look(...args)
      assert.equal(line('orphans'), fault)
      return of('orphans').advice
    }
    assert.equal(await advised(), `"workgate doctor --repair" would ${removal}.`)
    assert.equal(await advised('--repair'), `To ${removal}, run "workgate doctor --repair --yes".`)
    const questions: string[] = []
    const refused = await run(doctor, url, ['--repair'], async (question) => (questions.push(question), false))
    assert.deepEqual(questions, [`C${removal.slice(1)}? [y/N] `])
    assert.match(refused.text, /^fault {4}orphans .*\n +Nothing was removed, because the removal was not confirmed\.$/m)
    assert.equal(await advised(), `"workgate doctor --repair" would ${removal}.`)
    const { error } = await run(doctor, url, ['--yes'])
    assert.match(error!.message, /^--yes needs --repair/)
  })

  test('a backup with orphans is written, with a warning and the exit code of an incomplete command', async () => {
    const { text, error } = await run(backup, url, [file])
    assert.match(text, /^Saved 3 projects, /)
    assert.ok(error instanceof IncompleteError)
    assert.equal(
      error.message,
      `the backup cannot be restored as it is, because rows refer to rows that do not exist: ${found}. Run "workgate doctor --repair", and save again`,
    )
  })

  test('its restore writes nothing, and says what to do', async () => {
    const target = await suiteDatabase(undefined, 'template0')
    const { error } = await run(restore, target.url, [file])
    assert.equal(
      error?.message,
      'nothing was restored: a row of files refers to a row that the backup does not contain (files_comment_of_task). Run "workgate doctor --repair" on the database that was saved, and save it again. If it does not exist any more, see "Restore" in the guide "Backups and upgrades"',
    )
    assert.equal((await target.sql`select from workgate.projects`).length, 0)
  })

  test('it can be restored nevertheless, with the commands of the guide', async () => {
    const target = await suiteDatabase()
    const chapter = readChapter(await readFile('src/docs/guides/backup.md', 'utf8'), '### A backup with orphans')
    const [statement] = readCodeBlocks(chapter).filter(({ language }) => language === 'sql')
    await target.sql.unsafe(statement!.code)
    const restored = await run(restore, target.url, [file])
    assert.equal(restored.error, undefined)
    const repaired = await examine({ DATABASE_URL: target.url }, '--repair', '--yes')
    assert.match(repaired.line('triggers'), /^ok: Repaired: foreign key /)
    assert.match(repaired.line('orphans'), /^ok: Repaired, because/)
    const { of } = await examine({ DATABASE_URL: target.url })
    assert.deepEqual(['triggers', 'orphans', 'tallies'].map((check) => of(check).state), ['ok', 'ok', 'ok']) // prettier-ignore
  })

  test('--repair removes orphans after a confirmation, and a backup of the rest can be restored', async () => {
    const { text } = await run(doctor, url, ['--repair'], async () => true)
    assert.match(text, /^ok {7}orphans {6}Repaired, because they referred to rows that do not exist: 3 rows of files /m)
    assert.equal((await look('--repair', '--yes')).line('orphans'), 'ok: Every row that another row refers to exists')
    const [task] = await sql`select title, parent_id from workgate.tasks where id = ${id('task', 3)}`
    assert.deepEqual({ ...task }, { title: 'Three', parent_id: null })
    assert.equal((await run(backup, url, [file])).error, undefined)
    const target = await suiteDatabase(undefined, 'template0')
    assert.equal((await run(restore, target.url, [file])).error, undefined)
  })
})
