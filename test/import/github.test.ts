// Issues of GitHub and of GitHub Enterprise Server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { github } from '../../src/import/formats/github.ts'

const read = github.open({ name: 'issues' })
const issueAt = (address: string) => ({ number: 1, title: 'One', state: 'open', html_url: `${address}/issues/1` })
const commentAt = (api: string, address: string) => ({
  id: 7,
  body: 'Yes',
  issue_url: `${api}/issues/1`,
  html_url: `${address}/issues/1#issuecomment-7`,
})
const sourcesOf = (...records: Record<string, unknown>[]) =>
  records.flatMap(read).map((one) => 'source' in one && one.source)

test('the milestone is an own field, if the file has it', () => {
  const address = 'https://github.com/acme/website'
  const fieldsWith = (milestone: object) =>
    read({ ...issueAt(address), ...milestone }).map((one) => one.kind === 'task' && one.fields)
  assert.deepEqual(fieldsWith({ milestone: { title: '1.1', due_on: null } }), [{ milestone: '1.1' }])
  assert.deepEqual(fieldsWith({ milestone: null }), [{ milestone: null }])
  assert.deepEqual(fieldsWith({}), [undefined])
})

test('each host of GitHub is a source of its own, with its own people', () => {
  const address = 'https://github.com/acme/website'
  const comment = commentAt('https://api.github.com/repos/acme/website', address)
  const { html_url: _, ...withoutAddress } = comment
  assert.deepEqual(sourcesOf(issueAt(address), comment, withoutAddress), Array(3).fill('github:acme/website'))
  const own = 'https://git.example.org/acme/website'
  const ownComment = commentAt('https://git.example.org/api/v3/repos/acme/website', own)
  assert.deepEqual(sourcesOf(issueAt(own), ownComment), Array(2).fill('github@git.example.org:acme/website'))
})
