// Turning objects into rows: people, and notes about values.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIdentifier } from '../../src/import/identify.ts'
import type { ImportedObject, Task } from '../../src/import/objects.ts'
import type { StagedRow } from '../../src/import/staged.ts'

function identifyAll(objects: readonly ImportedObject[]) {
  const notes: string[] = []
  const rows: StagedRow[] = []
  const identify = createIdentifier('WEB', (text) => void notes.push(text))
  for (const object of objects) identify(object, rows)
  return { notes, rows, users: rows.filter((row) => row.kind === 'user') }
}

const taskOf = (source: string, login: string): Task => ({
  kind: 'task',
  source,
  project: undefined,
  externalId: '1',
  title: 'One',
  creator: { login },
})

test('an e-mail address that is none is a name', () => {
  const { users } = identifyAll([{ ...taskOf('csv', ''), creator: { email: '@ada' } }])
  assert.deepEqual(users[0]?.data, { name: '@ada', email: undefined, isLogin: true })
})

test('notes name up to three different values', () => {
  const values = ['A', 'B', 'A', 'C', 'D', 'E', 'B']
  const { notes } = identifyAll(values.map((value) => ({ kind: 'note', text: 'priorities were left out', value })))
  assert.deepEqual(notes, [
    'priorities were left out ("A")',
    'priorities were left out ("B")',
    'priorities were left out ("A")',
    'priorities were left out ("C")',
    'priorities were left out (others)',
    'priorities were left out (others)',
    'priorities were left out ("B")',
  ])
})

test('the people of a tool are the same in all projects of a host, and others on another host', () => {
  const sources = ['gitlab:a/b', 'gitlab:c', 'gitlab@git.example.org:a/b', 'gitlab@git.example.org:c']
  const { users } = identifyAll(sources.map((source) => taskOf(source, 'ada')))
  assert.equal(users.length, 2)
})

test('a file of a task and a file of a comment have different ids, even if the tool has the same id for both', () => {
  const file = { externalId: '7', name: 'a.png', mimeType: 'image/png', sizeBytes: 1, url: 'https://files.example/7' }
  const origin = { source: 'jira:WEB', project: undefined, task: 'WEB-1' }
  const { rows } = identifyAll([
    { ...origin, ...file, kind: 'file' },
    { ...origin, kind: 'comment', externalId: '1', body: 'See', files: [file] },
  ])
  const ofComment = rows.find((row) => row.kind === 'comment')?.data as { files: { id: string }[] }
  assert.notEqual(rows.find((row) => row.kind === 'file')?.id, ofComment.files[0]?.id)
})
