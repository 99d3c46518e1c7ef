// The search of the documentation finds sections and operations, best first.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { guides, renderGuidePage } from '../../src/docs/guides.ts'
import type { ApiDocument } from '../../src/docs/openapi.ts'
import { createSearchIndex, type SearchEntry } from '../../src/docs/search-index.ts'
import findScript from '../../src/docs/browser/find.client.js'
import { idsOf } from '../support/html.ts'
import { document, operations } from './document.ts'
import { valuesOf } from '../support/values.ts'

interface Result extends SearchEntry {
  excerpt: string[]
}

const { createFind } = (await import(`data:text/javascript,${encodeURIComponent(findScript)}`)) as {
  createFind(entries: SearchEntry[]): (query: string) => Result[]
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
  ]
  for (const [query, url] of queries) test(query, () => assert.equal(find(query)[0]?.url, url))
})

test('a result contains all words, and a query without a match has no result', () => {
  for (const query of ['rotate key', 'list tasks']) {
    for (const { page, title, text } of find(query)) {
      const all = `${page} ${title} ${text}`.toLowerCase()
      for (const word of query.split(' ')) assert.ok(all.includes(word.slice(0, -1)), `${word} in ${title}`)
    }
  }
  for (const query of ['', '  ', 'xyzzy', 'key xyzzy', '[xyzzy', 'xyzzy)*']) assert.equal(find(query).length, 0, query)
})

test('an excerpt is a part of the text around the first match, with every match apart', () => {
  const text = `${'before '.repeat(30)}Keys and more keys. ${'after '.repeat(60)}`
  const [{ excerpt }] = createFind([{ page: 'P', title: 'T', url: 'u', text }])('key') as [Result]
  assert.deepEqual(excerpt.filter((_, n) => n % 2 === 1), ['Key', 'key']) // prettier-ignore
  const shown = excerpt.join('')
  assert.match(shown, /^… before .*before Keys and more keys\. after .*after\u00a0…$/)
  assert.ok(shown.length < 200)
})
