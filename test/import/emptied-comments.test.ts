// Comments that have lost their text in the tool.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imports } from '../../src/commands/imports/imports.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandRunner } from '../support/run-command.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get } = await contractSuite()
const { importText } = await createImporter(workgate.url)
const runImports = commandRunner(imports, workgate.url)

const issue = 'https://github.com/acme/website/issues/1'
const load = (bodies: (string | null)[], ...args: string[]) => {
  const comments = bodies.map((body, n) => {
    const at = { createdAt: '2026-10-02T10:00:00Z', url: `${issue}#issuecomment-${n + 1}` }
    return { body, author: { login: 'ada' }, ...at }
  })
  const task = { number: 1, title: 'One', state: 'OPEN', url: issue, createdAt: '2026-10-01T10:00:00Z', comments }
  return importText('issues.json', JSON.stringify([task]), '--project', 'WEB', ...args)
}
const comments = async () => (await get('/projects/WEB/comments')).body.data as { id: string; body: string }[]
const files = async () => (await get('/projects/WEB/files')).body.data as { commentId: string }[]
const note = /comments without text were left out: (\d+)/

test('An emptied comment is deleted with its files, and an undo brings it back', async () => {
  const first = await load(['One', 'Two', ' \n', null])
  assert.deepEqual(first.counts['comments'], { created: 2 })
  assert.equal(note.exec(first.output)?.[1], '2')
  const known = await comments()
  const { id } = known.find(({ body }) => body === 'Two')!
  await sql`
    insert into workgate.files (project_id, task_id, comment_id, name, mime_type, size_bytes, url)
    select project_id, task_id, id, 'a.png', 'image/png', 1, 'https://files.example/a.png' from workgate.comments where id = ${id}`
  const before = { comments: await comments(), files: await files() }
  assert.equal(before.files.length, 1)

  const emptied = ['One', ' ', null]
  const dry = await load(emptied, '--dry-run')
  assert.deepEqual([await comments(), await files()], [before.comments, before.files])
  const { counts, output, error } = await load(emptied)
  assert.equal(error, undefined)
  assert.deepEqual(counts, dry.counts)
  assert.deepEqual(counts['comments'], { unchanged: 1, deleted: 1 })
  assert.equal(note.exec(output)?.[1], '1')
  assert.deepEqual([(await comments()).map(({ body }) => body), await files()], [['One'], []])

  const again = await load(emptied)
  assert.deepEqual(again.counts['comments'], { unchanged: 1 })
  assert.equal(note.exec(again.output)?.[1], '2')

  const [row] = await sql`select max(import_id)::text as id from workgate.import_changes where kind = 'comment'`
  const undone = await runImports(['undo', row!['id'] as string, '--yes'])
  assert.equal(undone.error, undefined)
  const withoutTimes = (rows: object[]) => rows.map((one) => ({ ...one, updatedAt: undefined }))
  assert.deepEqual(withoutTimes(await comments()), withoutTimes(before.comments))
  assert.deepEqual(withoutTimes(await files()), withoutTimes(before.files))

  const redone = await load(emptied)
  assert.deepEqual(redone.counts['comments'], { unchanged: 1, deleted: 1 })
  assert.deepEqual((await load(['One', 'Two'])).counts['comments'], { created: 1, unchanged: 1 })
})

test('Of several states of a comment in a file, the last one counts', async () => {
  const comment = (body: string) => ({
    body,
    issue_url: 'https://api.github.com/repos/acme/website/issues/1',
    html_url: `${issue}#issuecomment-7`,
  })
  const loadStates = (...bodies: string[]) =>
    importText('comments.json', JSON.stringify(bodies.map(comment)), '--project', 'WEB')
  assert.deepEqual((await loadStates('', 'Seven')).counts['comments'], { created: 1 })
  assert.deepEqual((await loadStates('Seven', '')).counts['comments'], { deleted: 1 })
})
