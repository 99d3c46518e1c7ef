// An import that is taken back: everything is as it was before, except for what has changed since.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { linesOfExport } from '../../src/commands/export.ts'
import { imports } from '../../src/commands/imports/imports.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandRunner } from '../support/run-command.ts'
import { createImporter } from './importing.ts'

const { workgate, sql } = await contractSuite()
const { importText } = await createImporter(workgate.url)
const sample = (name: string) => readFile(`test/import/samples/${name}`, 'utf8')

const run = commandRunner(imports, workgate.url)

/** Everything that an export has. */
async function stateOf(project: string): Promise<string[]> {
  return sql.begin(async (transaction) => {
    await transaction`select set_config('workgate.exported_project', ${project}, true)`
    const rows = await transaction.unsafe(linesOfExport)
    return rows
      .map(({ line }) => line as string)
      .map((line) => line.replaceAll(/"(updatedAt|version|revision)":("[^"]*"|\d+)/g, '"$1":0'))
      .toSorted()
  }) as Promise<string[]>
}

const lastImport = async () => {
  const [row] = await sql`select max(id)::text as id from workgate.imports`
  return row!['id'] as string
}

const everything = () => stateOf('')

describe('An import is taken back', { concurrency: false }, () => {
  let empty: string[]
  before(async () => {
    empty = await everything()
  })

  for (const name of ['jira.csv', 'github.json', 'trello.json', 'gitlab.json', 'redmine.csv', 'toggl.csv'])
    test(`the first one of ${name}, with the project and the people that it has created`, async () => {
      assert.equal(
        (await importText(name, await sample(name), '--project', 'FIRST', '--create-tasks')).error,
        undefined,
      )
      assert.notDeepEqual(await everything(), empty)
      const { error } = await run(['undo', await lastImport(), '--yes'])
      assert.equal(error, undefined)
      assert.deepEqual(await everything(), empty)
    })

  test('a later one, with what it has created, changed and deleted', async () => {
    const jira = await sample('jira.csv')
    await importText('jira.csv', jira, '--project', 'LATER')
    const known = await stateOf('LATER')
    const changed = jira
      .replace('Menu hides the search', 'Menu hides everything')
      .replaceAll('mobile', 'phone')
      .replaceAll('First line;', 'Another line;')
      .replaceAll('Jonas Weber', 'Jonas Maria Weber')
      .replaceAll('WEB-9,', 'WEB-90,')
    assert.notEqual(changed, jira)
    const { error, counts } = await importText(
      'cut.csv',
      changed,
      '--project',
      'LATER',
      '--full',
      '--delete-up-to',
      '50',
    )
    assert.equal(error, undefined)
    for (const outcome of ['created', 'updated', 'deleted']) assert.ok(counts['tasks']![outcome]! > 0, outcome)
    assert.notDeepEqual(await stateOf('LATER'), known)
    const id = await lastImport()
    const wrong = await stateOf('LATER')

    const dry = await run(['undo', id, '--dry-run'])
    assert.match(dry.out, /^Without the import of cut\.csv:\n\n +created +updated +deleted\n/)
    assert.match(dry.out, /\n\nNothing was written \(--dry-run\)\.$/)
    assert.equal((await run(['undo', id])).error, 'nothing was written: if this is right, add --yes')
    assert.equal(
      (await run(['undo', id], async () => false)).error,
      'nothing was written, because it was not confirmed',
    )
    assert.deepEqual(await stateOf('LATER'), wrong)

    const questions: string[] = []
    const undone = await run(['undo', id], async (question) => questions.push(question) > 0)
    assert.deepEqual([undone.error, questions], [undefined, [`Undo import ${id}? [y/N] `]])
    assert.match(undone.out, new RegExp(`\n\nImport ${id} was undone\\.$`))
    assert.deepEqual(await stateOf('LATER'), known)

    const again = await run(['undo', id, '--yes'])
    assert.deepEqual([again.out, again.error], ['Without the import of cut.csv:\n\nNothing changes.', undefined])
    // An undo is an import, too.
    assert.equal((await run(['undo', await lastImport(), '--yes'])).error, undefined)
    assert.deepEqual(await stateOf('LATER'), wrong)
    assert.equal((await run(['undo', id, '--yes'])).error, undefined)
    assert.deepEqual(await stateOf('LATER'), known)
  })

  test('Everything that has changed since is named, and remains', async () => {
    const csv = (rows: string[]) => ['externalId,number,title,parent,assignee', ...rows].join('\n')
    await importText(
      'a.csv',
      csv(['A,1,One,,', 'B,2,Two,,', 'C,3,Three,,', 'D,4,Four,,', 'I,9,Nine,,']),
      '--project',
      'SINCE',
    )
    const second = [
      'I,9,9,,',
      'A,1,1,,',
      'B,2,2,,',
      'E,5,Five,,ada@example.org',
      'F,6,Six,,',
      'G,7,Seven,,',
      'H,8,Eight,G,',
    ]
    const { error } = await importText('b.csv', csv(second), '--project', 'SINCE', '--full', '--delete-up-to', '2')
    assert.equal(error, undefined)
    const id = await lastImport()
    const of = sql`project_id = (select id from workgate.projects where key = 'SINCE')`
    await sql`update workgate.tasks set description = 'Since' where ${of} and number in (2, 8)`
    await sql`delete from workgate.tasks where ${of} and number = 9`
    await sql`insert into workgate.comments (project_id, task_id, body) select project_id, id, 'Since' from workgate.tasks where ${of} and number = 5`
    const undone = await run(['undo', id, '--yes'])
    assert.equal(undone.errorName, 'IncompleteError')
    assert.equal(undone.error, '5 objects were changed after the import, and so remained as they are')
    assert.match(undone.out, /^Changed since, and left as they are:\n {2}SINCE-2 2\n {2}SINCE-5 Five\n {2}SINCE-7 Seven\n {2}SINCE-8 Eight\n {2}SINCE-9 Nine$/m) // prettier-ignore
    assert.deepEqual(
      (await sql`select number::int, title from workgate.tasks where ${of} order by number`).map((row) => ({ ...row })),
      [[1, 'One'], [2, '2'], [3, 'Three'], [4, 'Four'], [5, 'Five'], [7, 'Seven'], [8, 'Eight']].map(([number, title]) => ({ number, title })), // prettier-ignore
    )
  })

  test('The list has the last ones, and an unknown import is an error', async () => {
    const { out } = await run([])
    assert.match(out, /^ID +TIME +PROJECTS +CREATED +UPDATED +UNCHANGED +DELETED +UNDONE +FILE\n/)
    assert.match(out, /^\d+ +20\S+Z +SINCE +5 +0 +0 +0 +no +a\.csv \(Spreadsheet of tasks \(\.xlsx, CSV\)\)$/m)
    assert.match(out, /^\d+ +20\S+Z +SINCE +4 +3 +0 +2 +yes +b\.csv/m)
    const [last] = JSON.parse((await run(['list', '--json'])).out) as Record<string, unknown>[]
    assert.deepEqual(Object.keys(last!), ['id', 'at', 'file', 'formats', 'projects', 'counts', 'undoneAt'])
    assert.match(String(last!['file']), /^undo of import \d+$/)
    assert.equal((await run(['undo', '999999', '--yes'])).error, 'there is no import 999999: "workgate imports" lists the last ones') // prettier-ignore
    assert.match((await run(['undo', 'x'])).error!, /^ID must be a number/)
    assert.match((await run(['undoo'])).error!, /^unknown command "imports undoo"; did you mean undo\?/)
  })

  test('Several imports are taken back one after the other, and what somebody has changed in between remains', async () => {
    const csv = (titles: string[]) => ['externalId,title', ...titles.map((title, n) => `${n},${title}`)].join('\n')
    const ids: string[] = []
    const states: string[][] = []
    const load = async (titles: string[]) => {
      states.push(await stateOf('WALK'))
      assert.equal((await importText('walk.csv', csv(titles), '--project', 'WALK')).error, undefined)
      ids.push(await lastImport())
    }
    await load(['a', 'b', 'c'])
    await load(['a', 'bb', 'cc'])
    await load(['aa', 'bbb', 'cc', 'd'])
    const first = await run(['undo', ids[1]!, '--yes'])
    assert.match(first.out, /^ {2}WALK-2 bbb$/m, 'a later import has changed it')
    assert.equal(first.errorName, 'IncompleteError')
    assert.equal((await run(['undo', await lastImport(), '--yes'])).error, undefined)
    for (const n of [2, 1, 0]) {
      assert.equal((await run(['undo', ids[n]!, '--yes'])).error, undefined)
      assert.deepEqual(await stateOf('WALK'), states[n])
    }

    await load(['a', 'b'])
    await sql`update workgate.tasks set description = 'Since' where title = 'b'`
    await load(['aa', 'bb'])
    assert.equal((await run(['undo', ids[4]!, '--yes'])).error, undefined)
    const { out, errorName } = await run(['undo', ids[3]!, '--yes'])
    assert.match(out, /left as they are:\n {2}WALK-2 b\n/)
    assert.equal(errorName, 'IncompleteError')
  })

  test('a later one of a tool, with the names of stages and people', async () => {
    const trello = await sample('trello.json')
    const board = JSON.parse(trello) as { lists: { name: string }[]; members: { fullName: string }[] }
    await importText('trello.json', trello)
    const known = await everything()
    board.lists[0]!.name += ' now'
    board.members[0]!.fullName += ' now'
    const { counts } = await importText('trello.json', JSON.stringify(board))
    assert.deepEqual([counts['stages']!['updated'], counts['users']!['updated']], [1, 1])
    assert.equal((await run(['undo', await lastImport(), '--yes'])).error, undefined)
    assert.deepEqual(await everything(), known)
  })

  test('a later one of an export, with files, documents and time entries', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => `d0000000-0000-4000-8000-00000000000${n}`)
    const [project, task, user, comment, entry, document] = ids as [string, ...string[]]
    const other = 'd0000000-0000-4000-8000-000000000010'
    const at = '2026-01-01T10:00:00.000Z'
    const lines = (word: string, files: object[], ownFiles: string[]) =>
      [
        { kind: 'user', id: user, name: 'Ada' },
        { kind: 'project', id: project, key: 'FILES', name: 'Files', createdAt: at, members: [{ userId: user, role: 'member', joinedAt: at, updatedAt: at }] },
        { kind: 'task', id: task, projectId: project, title: word, createdAt: at, watcherIds: files.length > 1 ? [user] : [] },
        { kind: 'comment', id: comment, projectId: project, taskId: task, body: 'See', createdAt: at, files },
        ...ownFiles.map((name, n) => ({ kind: 'file', id: `d0000000-0000-4000-8000-00000000001${n}`, projectId: project, taskId: task, creatorId: user, name, mimeType: 'a/b', sizeBytes: null, url: 'https://files.example/', createdAt: at })),
        { kind: 'time_entry', id: entry, projectId: project, taskId: task, userId: user, spentOn: '2026-01-01', startedAt: at, endedAt: null, description: word },
        { kind: 'time_entry', id: ids[6], projectId: project, taskId: word === 'before' ? null : task, userId: user, spentOn: '2026-01-02', timed: word !== 'before', startedAt: '2026-01-02T00:00:00Z', endedAt: '2026-01-02T01:30:00Z' },
        { kind: 'time_entry', id: other, projectId: project, taskId: null, userId: user, spentOn: '2026-01-03', startedAt: at, endedAt: null, description: word },
        { kind: 'document', id: document, projectId: project, path: 'a.md', title: word, markdown: word, revision: 1, createdAt: at, updatedAt: at },
      ].map((line) => JSON.stringify(line)).join('\n') // prettier-ignore
    const file = (n: number) => ({ id: ids[n], name: `${n}.png`, mimeType: 'image/png', sizeBytes: n, url: `https://files.example/${n}.png` }) // prettier-ignore
    await importText('a.jsonl', lines('before', [file(7)], ['plan']))
    const known = await stateOf('FILES')
    assert.equal(
      (await importText('b.jsonl', lines('after', [file(7), file(8)], ['new plan', 'sketch']))).error,
      undefined,
    )
    assert.deepEqual(
      await sql`select name from workgate.files where project_id = ${project} and comment_id is null order by id`.then(
        (rows) => rows.map(({ name }) => name as string),
      ),
      ['new plan', 'sketch'],
    )
    const undone = await run(['undo', await lastImport(), '--yes'])
    assert.deepEqual([undone.error, await stateOf('FILES')], [undefined, known])
    await importText('c.jsonl', lines('again', [file(7)], []))
    await sql`update workgate.time_entries set description = 'Since' where id in (${entry!}, ${other})`
    const { out } = await run(['undo', await lastImport(), '--yes'])
    assert.match(out, /left as they are:\n {2}a time entry of FILES\n {2}a time entry of FILES-1\n/)
  })

  test('A new project remains if somebody has added time to it since that belongs to no task', async () => {
    const at = '2026-01-01T10:00:00.000Z'
    const id = 'd1000000-0000-4000-8000-000000000001'
    await importText('p.jsonl', JSON.stringify({ kind: 'project', id, key: 'HOURS', name: 'Hours', createdAt: at }))
    await sql`insert into workgate.time_entries (project_id, user_id, spent_on, started_at) select ${id}, id, '2026-01-01', ${at} from workgate.users limit 1`
    assert.equal((await run(['undo', await lastImport(), '--yes'])).error, undefined)
    assert.equal((await sql`select from workgate.projects where id = ${id}`).length, 1)
    await sql`delete from workgate.projects where id = ${id}`
  })

  test('An import of more than 90 days ago is forgotten by the next one', async () => {
    const id = await lastImport()
    await sql`update workgate.imports set at = now() - interval '91 days' where id = ${id}`
    await importText('any.csv', 'title\nAny', '--project', 'LATER', '--add-source')
    assert.match((await run(['undo', id, '--yes'])).error!, /^there is no import/)
  })
})
