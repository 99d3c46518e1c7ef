// workgate projects show, archive, unarchive, rename, due and delete, while the service reads the same database.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectDescription } from '../../src/commands/projects/find-project.ts'
import { projects } from '../../src/commands/projects/projects.ts'
import type { ChangePage } from '../support/change-pages.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandRunner } from '../support/run-command.ts'
import { app, id, web } from '../support/data.ts'

const { workgate, sql, get, post, issueKey } = await contractSuite({ data: 'basic', key: { name: 'all' } })
const onlyApp = await issueKey('only app', { projects: [app] })
await issueKey('both', { projects: [app, web] })
await sql`select workgate.revoke_key('both')`
await issueKey('both', { projects: [app, web] })

const run = commandRunner(projects, workgate.url)

const project = async (name: string) => (await get(`/projects/${name}`)).body.data as Record<string, unknown>

test('show describes a project, in any case of its key', async () => {
  const { out } = await run(['show', 'web', '--json'])
  const { members, keys, boards, lastChangeAt, ...rest } = JSON.parse(out) as ProjectDescription
  assert.deepEqual(rest, {
    key: 'WEB',
    name: 'Web site',
    id: web,
    status: 'active',
    startDate: '2026-01-01',
    dueDate: '2026-12-31',
    owner: { id: id('user', 1), name: 'Ada Lovelace', email: 'ada@example.org' },
    tasks: { open: 3, completed: 0, cancelled: 0 },
    comments: 3,
    timeEntries: { count: 3, seconds: 12_630 },
    savedOptions: [],
    documents: ((await get('/projects/WEB/documents')).body.data as unknown[]).length,
  })
  assert.deepEqual(members[0], {
    id: id('user', 1),
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    role: 'owner',
  })
  assert.deepEqual(boards.at(-1), { name: 'attic', archived: true, stages: [] })
  assert.deepEqual(keys, [
    { name: 'all', scopeMode: 'all_projects', hasOtherProjects: false },
    { name: 'both', scopeMode: 'selected_projects', hasOtherProjects: true },
  ])
  const [row] = await sql`
    select workgate.iso(max(at)) as at
    from (select max(updated_at) as at from workgate.tasks where project_id = ${web} union all select updated_at from workgate.projects where id = ${web}) t`
  assert.equal(lastChangeAt, row!['at'])
})

test('show is a table for people, which the text of others cannot control', async () => {
  await sql`insert into workgate.import_mappings select id, 'week', array['--dates=dmy', ${'--column=\x1b a=title'}] from workgate.projects where key = 'APP'`
  await sql`update workgate.boards set name = ${'a\x1b[2J\nb'} where id = ${id('board', 4)}`
  const { out } = await run(['show', 'App'])
  assert.match(out, /^Key +APP\nName +app for phones\nId +0[^\n]+\nStatus +active\nStart date +none\n/)
  assert.match(out, /^Saved options +week: --dates=dmy '--column=\\u001b a=title'$/m)
  assert.match(out, /^Board +a\\u001b\[2J\\u000ab: Only$/m)
  assert.match(out, /^Keys +all \(all projects\), both, only app$/m)
})

// prettier-ignore
const changes: [claim: string, args: string[], printed: RegExp, field: string, value: unknown][] = [
  ['archive',               ['archive', 'web'],                    /^WEB is archived\./,                              'status',  'archived'],
  ['archive again',         ['archive', 'WEB'],                    /^WEB is archived\./,                              'status',  'archived'],
  ['unarchive',             ['unarchive', 'WEB'],                  /^WEB is active\.$/,                               'status',  'active'],
  ['rename',                ['rename', 'Web', 'Das Netz'],         /^WEB is named "Das Netz"\.$/,                     'name',    'Das Netz'],
  ['due',                   ['due', 'web', '2027-01-31'],          /^WEB is due on 2027-01-31\.$/,                    'dueDate', '2027-01-31'],
  ['due none',              ['due', 'web', 'none'],                /^WEB has no due date\.$/,                         'dueDate', null],
  ['rename to another key', ['rename', 'web', '--key', 'net'],     /^NET is named "Das Netz"\. Its tasks are NET-1 /, 'key',     'NET'],
  ['rename key and name',   ['rename', 'net', 'x', '--key', 'WEB'], /^WEB is named "x"\. /,                           'key',     'WEB'],
]

describe('the API shows the change at once', { concurrency: false }, () => {
  for (const [claim, args, printed, field, value] of changes) {
    test(claim, async () => {
      const before = await project(web)
      const { out, error } = await run(args)
      assert.equal(error, undefined)
      assert.match(out, printed)
      const after = await project(web)
      assert.equal(after[field], value)
      assert.equal(after['version'], Number(before['version']) + (claim === 'archive again' ? 0 : 1))
    })
  }

  test('an archived project refuses writes', async () => {
    await run(['archive', 'WEB'])
    assert.equal((await post('/projects/WEB/tasks', { title: 'x' })).body.code, 'PROJECT_ARCHIVED')
    await run(['unarchive', 'WEB'])
    assert.equal((await post('/projects/WEB/tasks', { title: 'x' })).status, 201)
  })
})

// prettier-ignore
const refused: [claim: string, args: string[], message: RegExp][] = [
  ['an unknown project',          ['show', 'nope'],                    /^no project has the key NOPE: "workgate projects" lists them$/],
  ['an unknown project to change', ['archive', 'NOPE'],                /^no project has the key NOPE: "workgate projects" lists them$/],
  ['an unknown project to delete', ['delete', 'NOPE', '--yes'],        /^no project has the key NOPE: "workgate projects" lists them$/],
  ['no key',                      ['show'],                            /^missing KEY\n\nworkgate projects show KEY/],
  ['a text that is no key',       ['show', 'Web site'],                /^KEY must be 2 to 12 of the characters A-Z and 0-9, .*, not "Web site"$/],
  ['two keys',                    ['delete', 'WEB', 'APP', '--yes'],   /^unexpected argument "APP"/],
  ['an unknown option',           ['delete', 'WEB', '--force'],        /^unknown option --force\n\nworkgate projects delete KEY/],
  ['a misspelled action',         ['delte', 'WEB'],                    /^unknown command "projects delte"; did you mean delete\?\n\nworkgate projects \[list\]/],
  ['no name',                     ['rename', 'WEB'],                   /^missing NAME or --key NEW/],
  ['an empty name',               ['rename', 'WEB', ' '],              /^NAME must be 1 to 200 characters, and not only spaces$/],
  ['a name without quotes',       ['rename', 'WEB', 'a', 'b'],         /^unexpected argument "b"/],
  ['a taken key',                 ['rename', 'WEB', '--key', 'old'],   /^another project has the new key$/],
  ['an invalid new key',          ['rename', 'WEB', '--key', 'W-1'],   /^--key must be 2 to 12 of .*, not "W-1"$/],
  ['no date',                     ['due', 'WEB'],                      /^missing DATE or none/],
  ['a date in another form',      ['due', 'WEB', '31.1.2027'],         /^DATE must be a date such as 2027-01-31, or none, not "31\.1\.2027"$/],
  ['a day that does not exist',   ['due', 'WEB', '2027-02-29'],        /^DATE must be a date/],
  ['a due date before the start', ['due', 'WEB', '2025-12-31'],        /^the due date must not be before the start date of the project$/],
]

describe('refused as a wrong use', () => {
  for (const [claim, args, message] of refused)
    test(claim, async () => {
      const { out, error, errorName } = await run(args)
      assert.deepEqual([out, errorName], ['', 'UsageError'])
      assert.match(error!, message)
    })
})

describe('delete', { concurrency: false }, () => {
  const appText =
    'APP (app for phones) contains 1 task, 0 comments, 0 time entries (0 hours), 0 documents, 1 board, which are deleted with it. ' +
    'This key can access no other project: only app.'

  test('says what goes with the project, and deletes nothing without a confirmation', async () => {
    await sql`insert into workgate.tasks (project_id, title) values (${app}, 'x')`
    assert.equal((await run(['delete', 'APP'])).error, `nothing was deleted. ${appText} If this is right, add --yes`)
    const questions: string[] = []
    const answer = (isYes: boolean) => async (question: string) => {
      questions.push(question)
      return isYes
    }
    assert.match((await run(['delete', 'app'], answer(false))).error!, /^nothing was deleted, because/)
    assert.deepEqual(questions, [`${appText} Delete it? [y/N] `])
    assert.equal((await get('/projects/APP')).status, 200)
  })

  test('deletes it for everybody, and the feed says it like a deletion by SQL', async () => {
    let { nextCursor } = await readChanges()
    assert.equal((await get(`/projects/${app}`, onlyApp)).status, 200)
    assert.equal((await run(['delete', 'App'], async () => true)).out, 'APP was deleted.')
    assert.equal((await get(`/projects/${app}`)).status, 404)
    assert.deepEqual((await get('/projects', onlyApp)).body.data, [])
    assert.deepEqual(
      ((await get('/tasks?limit=200')).body.data as { projectId: string }[]).filter((task) => task.projectId === app),
      [],
    )
    const byCommand = await readChanges(nextCursor)
    ;({ nextCursor } = byCommand)
    await sql`delete from workgate.projects where key = 'OLD'`
    const bySql = await readChanges(nextCursor)
    assert.deepEqual(byCommand.changes, bySql.changes)
    assert.equal(byCommand.changes.length, 1)
    const wrong = await sql`select r.* from workgate.projects p cross join lateral workgate.recount(p.id) r`
    assert.deepEqual([...wrong], [])
  })

  test('with --yes prints what went', async () => {
    const { out } = await run(['delete', 'web', '--yes'])
    assert.match(
      out,
      /^WEB \(x\) contains 4 tasks, 3 comments, 3 time entries \(3\.5 hours\), \d documents, 3 boards, .*\nWEB was deleted\.$/,
    )
    assert.equal((await run([])).out.split('\n').length, 1)
  })

  test('leaves no rows, tallies or orphans', async () => {
    for (const table of [
      'tasks',
      'comments',
      'time_entries',
      'documents',
      'boards',
      'stages',
      'task_history',
      'tallies',
      'tally_deltas',
    ])
      assert.deepEqual([...(await sql.unsafe(`select from workgate.${table}`))], [], table)
    assert.deepEqual([...(await sql`select * from workgate.orphans()`)], [])
  })
})

/** The changes after a cursor without ids and times, and the cursor after them. */
async function readChanges(cursor?: string) {
  const changes: unknown[] = []
  for (;;) {
    const { data, meta } = (await get(`/changes?limit=1000${cursor ? `&cursor=${cursor}` : ''}`)).body as ChangePage
    changes.push(...data.map(({ kind, op, event, by, fields }) => ({ kind, op, event, by, fields })))
    cursor = meta.nextCursor ?? meta.cursor
    if (!meta.hasMore) return { changes, nextCursor: cursor }
  }
}
