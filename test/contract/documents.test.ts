// The text of a document is in no response, and paths sort by code point.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { decodeBytes } from '../../src/api/input/values.ts'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, id, old, secret, web } from '../support/data.ts'

const { workgate, get } = await contractSuite({ data: 'basic' })

test('no response contains a word that is only in the text', async () => {
  const [row] =
    await workgate.sql`select count(*)::int as n from workgate.documents where markdown like ${`%${secret}%`}`
  assert.equal(row!['n'], 5)
  const list = `/projects/${web}/documents`
  const sorts = ['path', 'updatedAt', 'title'].flatMap((name) => [name, `-${name}`])
  const paths = [
    ...routes.filter(([method]) => method === 'GET').map(([, path]) => fill(path, web)),
    ...[1, 2, 3, 4, 5].map((n) => `${list}/${id('document', n)}`),
    ...sorts.flatMap((sort) => [`${list}?sort=${sort}`, `${list}?sort=${sort}&limit=1`]),
    ...[secret, secret.slice(0, 4), 'part', 'twice'].flatMap((word) => [
      `${list}?q=${word}`,
      `${list}?pathPrefix=${word}`,
      `/projects/${web}/tasks?q=${word}`,
      `/projects/${web}/comments?q=${word}`,
    ]),
    `${list}?q=zero&limit=0`,
    `${list}?cursor=x`,
    `${list}?fields=markdown`,
  ]
  for (const path of paths) {
    const { text, headers, body } = await get(path)
    const cursor = String(decodeBytes(body?.meta?.nextCursor ?? ''))
    const received = [text, JSON.stringify(headers), cursor].join('\n').toLowerCase()
    assert.ok(!received.includes(secret.toLowerCase()), path)
    // Nor does it contain the rest of the line.
    assert.ok(!received.includes('twice:'), path)
  }
  for (const word of [secret, 'twice', 'solo', 'end']) {
    assert.deepEqual((await get(`${list}?q=${word}`)).body.data, [], `q=${word} would reveal the text`)
  }
})

describe('paths', () => {
  const last = '\u{10ffff}'
  // In UTF-16 the order would differ, and so would that of any language.
  const paths = [
    'a',
    'Z',
    'é',
    'b',
    'a/b',
    'a b',
    'a%',
    'a_',
    'a\\',
    'a\n',
    '\u{d7ff}',
    '\u{e000}',
    '\u{ffff}',
    '\u{10000}',
  ].concat(last, last + last, `${last}a`, `a${last}`, `a${last}${last}b`, 'x'.repeat(1000), last.repeat(1000))
  const byCodePoint = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const list = `/projects/${old}/documents`

  before(async () => {
    await workgate.sql`delete from workgate.documents where project_id = ${old}`
    const rows = paths.map((path) => ({ project_id: old, path, title: path.slice(0, 100), markdown: '' }))
    await workgate.sql`insert into workgate.documents ${workgate.sql(rows)}`
  })

  test('are compared by code point, whatever the language of the database', async () => {
    const [row] = await workgate.sql`select pg_collation_for(path) as collation from workgate.documents limit 1`
    assert.equal(row!['collation'], '"C"')
  })

  async function walk(query: string, limit: number) {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { status, text, body } = await get(`${list}?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
      assert.equal(status, 200, text)
      seen.push(...body.data.map(({ path }: { path: string }) => path))
      cursor = body.meta.nextCursor
    }
    return seen
  }

  test('are listed by code point in both directions, however long they are', async () => {
    for (const limit of [1, 4, 200]) {
      assert.deepEqual(await walk('sort=path', limit), byCodePoint)
      assert.deepEqual(await walk('sort=-path', limit), byCodePoint.toReversed())
    }
  })

  test('are found by each of their prefixes, and by no other', async () => {
    const prefixes = new Set(paths.flatMap((path) => [path.slice(0, 500), [...path].slice(0, 1).join('')]))
    for (const prefix of [...prefixes, `${last}b`, 'A', '\u{d7fe}', '\u{10fffe}']) {
      const expected = byCodePoint.filter((path) => path.startsWith(prefix))
      assert.deepEqual(await walk(`pathPrefix=${encodeURIComponent(prefix)}`, 3), expected, prefix)
    }
  })
})
