// The search of the documentation finds sections and operations, best first.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { guides, renderGuidePage } from '../../src/docs/guides.ts'
import type { ApiDocument } from '../../src/docs/openapi.ts'
import { createSearchIndex, synonyms, type SearchEntry } from '../../src/docs/search-index.ts'
import findScript from '../../src/docs/browser/find.client.js'
import { idsOf } from '../support/html.ts'
import { document, operations } from './document.ts'
import { valuesOf } from '../support/values.ts'

interface Result extends SearchEntry {
  excerpt: string[]
}

const { createFind } = (await import(`data:text/javascript,${encodeURIComponent(findScript)}`)) as {
  createFind(entries: SearchEntry[]): (query: string) => { results: Result[]; hasAll: boolean }
}
const index = createSearchIndex(guides, document as unknown as ApiDocument)
const find = createFind(index)

test('the index contains every section of every guide, under its address', () => {
  const addresses = guides.flatMap((guide) => {
    const ids = idsOf(renderGuidePage(guide)).filter((id) => guide.article.includes(`<h2 id="${id}"`) || guide.article.includes(`<h3 id="${id}"`)) // prettier-ignore
    return [guide.slug, ...ids.map((id) => `${guide.slug}#${id}`)]
  })
  assert.ok(addresses.length > 150)
  assert.deepEqual(
    valuesOf(
      index.filter(({ page }) => page !== 'Reference'),
      'url',
    ),
    addresses,
  )
})

test('the index contains every operation', () => {
  const found = index.filter(({ page }) => page === 'Reference').map(({ url }) => url.split('/').at(-1))
  assert.deepEqual(found, [...operations.map(({ operation }) => operation.operationId), 'getHealth', 'getReadiness'])
})

test('every synonym belongs to an entry', () => {
  const urls = valuesOf(index, 'url')
  assert.deepEqual(Object.keys(synonyms).filter((url) => !urls.includes(url)), []) // prettier-ignore
})

test('the index contains text, not HTML', () => {
  const all = index.map(({ title, text }) => `${title} ${text}`).join('\n')
  assert.doesNotMatch(all, /<\/?(p|code|pre|span|a|td|div|svg)\b|&(amp|lt|gt|quot);/)
  assert.ok(
    all.includes('SQL, imports and replication write to the PostgreSQL database'),
    'the description of a drawing',
  )
})

describe('the best result for', () => {
  // prettier-ignore
  const queries: [query: string, url: string][] = [
    ['rotate key',                         'keys#rotation'],
    ['ROTATING KEYS',                      'keys#rotation'],
    ['retry',                              'errors#retries'],
    ['if-match',                           'idempotency#if-match'],
    ['body_too_large',                     'errors#BODY_TOO_LARGE'],
    ['pagination',                         'pagination'],
    ['rate limit',                         'limits#rate-limits'],
    ['wait change',                        'verification#waiting-for-a-change'],
    ['cursor expires',                     'changes#when-a-cursor-expires'],
    ['create task',                        '../docs#tag/tasks/createTask'],
    ['POST /projects/{projectId}/tasks',   '../docs#tag/tasks/createTask'],
    ['GET /projects/:projectId/comments',  '../docs#tag/comments/listComments'],
    ['/projects/:projectId/time-entries',  '../docs#tag/time-entries/listTimeEntries'],
    ['verifyWorkPacket',                   '../docs#tag/work-packets/verifyWorkPacket'],
    ['backup',                             'backup'],
    ['restore',                            'backup#restore'],
    ['custom fields',                      'own-fields'],
    ['jira',                               'bring-your-data#from-each-tool'],
    ['forecast',                           'analytics#forecast'],
    ['port',                               'network#listening-address'],
    // Words that the guides do not use for their subject.
    ['docker compose',                     'container#docker-compose'],
    ['kubernetes',                         'container'],
    ['systemd',                            'self-hosting#systemd-service'],
    ['csv',                                'bring-your-data'],
    ['excel',                              'spreadsheets'],
    ['webhook',                            'changes#waiting-and-polling'],
    ['hours',                              'analytics#time'],
    ['forgot key',                         'keys#rotation'],
    ['login',                              'keys'],
    ['ssl certificate',                    'network'],
    ['update version',                     'backup#upgrades'],
    ['attachments',                        '../docs#tag/documents/listDocuments'],
    ['too many requests',                  'errors#RATE_LIMITED'],
    // No entry has all of these words.
    ['forgot my key',                      'keys#rotation'],
    ['How do I rotate a key?',             'keys#rotation'],
    ['what happens if the disk is full',   'faults#disks'],
    ['create a webhook',                   'changes#waiting-and-polling'],
  ]
  for (const [query, url] of queries) test(query, () => assert.equal(find(query).results[0]?.url, url))
})

test('matches in titles come first, then those in the title of the guide, then those in the text', () => {
  const entry = { page: '', title: '', text: '' }
  const entries = (['text', 'page', 'title'] as const).map((part) => ({ ...entry, [part]: 'One or two.', url: part }))
  assert.deepEqual(valuesOf(createFind(entries)('two one').results, 'url'), ['title', 'page', 'text'])
})

test('results contain all words, or any of them if no entry has all', () => {
  const wordsIn = (query: string) => query.split(' ').map((word) => word.replace(/s$/, ''))
  for (const [query, expected] of [
    ['rotate key', true],
    ['list tasks', true],
    ['warehouse boards', false],
  ] as const) {
    const { results, hasAll } = find(query)
    assert.ok(results.length > 1 && hasAll === expected, query)
    for (const { page, title, text, synonyms = '' } of results) {
      const all = `${page} ${title} ${text} ${synonyms}`.toLowerCase()
      const found = wordsIn(query).filter((word) => all.includes(word))
      assert.ok(hasAll ? found.length === 2 : found.length === 1, `${query} in ${title}`)
    }
  }
})

test('a query without a match has no result', () => {
  for (const query of ['', '  ', '?', 'xyzzy', '[xyzzy', 'xyzzy)*', 'ram'])
    assert.equal(find(query).results.length, 0, query)
})

test('an excerpt is a part of the text around the first match, with every match apart', () => {
  const text = `${'before '.repeat(30)}Keys and more keys. ${'after '.repeat(60)}`
  const [{ excerpt }] = createFind([{ page: 'P', title: 'T', url: 'u', text }])('key').results as [Result]
  assert.deepEqual(excerpt.filter((_, n) => n % 2 === 1), ['Key', 'key']) // prettier-ignore
  const shown = excerpt.join('')
  assert.match(shown, /^… before .*before Keys and more keys\. after .*after\u00a0…$/)
  assert.ok(shown.length < 200)
})
