// Tests the response cache: what it stores, for how long, and what it evicts first.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Representation } from '../../src/api/responses/representation.ts'
import { createResponseCache } from '../../src/api/responses/response-cache.ts'
import { jsonResponse } from '../../src/api/responses/response.ts'
import { ownerOfKey } from '../../src/db/pool/connection-shares.ts'

const megabyte = 1_048_576
const owner = ownerOfKey('a')

const textOf = async (found: Representation) => Buffer.from((await found.respond({})).body).toString()

function open(maxBytes: number) {
  const cache = createResponseCache(maxBytes)
  let created = 0
  /** Returns the number of the response, in the order of creation. */
  const find = async (cacheKey: string, version = '1', size = 10) => {
    const found = await cache.find(cacheKey, version, owner, async () => jsonResponse(String(++created).padEnd(size)))
    return Number(await textOf(found))
  }
  return { cache, find, created: () => created }
}

const compressed = async (cache: ReturnType<typeof createResponseCache>, cacheKey: string) => {
  const found = await cache.find(cacheKey, '1', owner, () => Promise.reject(new Error('it is not cached')))
  return found.respond({ 'accept-encoding': ['br'] })
}

describe('a response', () => {
  test('is created once for each version', async () => {
    const { find, cache } = open(megabyte)
    assert.deepEqual([await find('a'), await find('a'), await find('b'), await find('a')], [1, 1, 2, 1])
    const { hits, misses, entries } = cache.counts
    assert.deepEqual({ hits, misses, entries }, { hits: 2, misses: 2, entries: 2 })
  })

  test('is created again for another version, and replaces the previous one', async () => {
    const { find, cache } = open(megabyte)
    assert.deepEqual(
      [await find('a', '1'), await find('a', '2'), await find('a', '2'), await find('a', '1')],
      [1, 2, 2, 3],
    )
    assert.equal(cache.counts.entries, 1)
  })

  for (const [condition, maxBytes] of Object.entries({ 'with a cache': megabyte, 'without a cache': 0 })) {
    test(`is created once for concurrent requests, ${condition}`, async () => {
      const { find, created, cache } = open(maxBytes)
      assert.deepEqual(
        await Promise.all([find('a'), find('a'), find('b'), find('a', '2'), find('a', '2')]),
        [1, 1, 2, 3, 3],
      )
      assert.equal(created(), 3)
      assert.equal(cache.counts.shared, 2)
    })
  }

  test('is shared with another owner only if its statement has started', async () => {
    const cache = createResponseCache(megabyte)
    const statements: { start(): void; finish(): void }[] = []
    const find = (keyId: string) =>
      cache.find('a', '1', ownerOfKey(keyId), (start) => {
        const { length } = statements
        return new Promise((resolve) => {
          statements.push({ start, finish: () => resolve(jsonResponse(String(length))) })
        })
      })
    const responses = [find('greedy'), find('greedy'), find('other')]
    statements[1]!.start()
    responses.push(find('greedy'), find('third'))
    assert.equal(statements.length, 2)
    for (const { finish } of statements.reverse()) finish()
    const texts = await Promise.all(responses.map(async (response) => textOf(await response)))
    assert.deepEqual(texts, ['0', '0', '1', '1', '1'])
  })

  for (const [condition, maxBytes] of Object.entries({ 'with a cache': megabyte, 'without a cache': 0 })) {
    test(`is created once per owner for requests of two owners that alternate, ${condition}`, async () => {
      const cache = createResponseCache(maxBytes)
      const statements: (() => void)[] = []
      const responses = Array.from({ length: 40 }, (_, n) =>
        cache.find('a', '1', ownerOfKey(`${n % 2}`), () => {
          const { length } = statements
          return new Promise((resolve) => statements.push(() => resolve(jsonResponse(String(length)))))
        }),
      )
      assert.equal(statements.length, 2)
      assert.deepEqual([cache.counts.misses, cache.counts.shared], [2, 38])
      for (const finish of statements) finish()
      const texts = await Promise.all(responses.map(async (response) => textOf(await response)))
      assert.deepEqual(
        texts,
        texts.map((_, n) => String(n % 2)),
      )
    })
  }

  test('keeps no memory in use except its own bytes', async () => {
    const { cache } = open(megabyte)
    const found = await cache.find('a', '1', owner, async () => jsonResponse(JSON.stringify('a'.repeat(2_000))))
    for (const encoding of ['identity', 'br', 'gzip']) {
      const { body } = await found.respond({ 'accept-encoding': [encoding] })
      assert.equal((body as Uint8Array).buffer.byteLength, (body as Uint8Array).byteLength, encoding)
    }
  })

  test('that failed is created again for the next request', async () => {
    const { cache, find } = open(megabyte)
    const fails = async () => cache.find('a', '1', owner, () => Promise.reject(new Error('away')))
    for (const one of [fails(), fails()]) await assert.rejects(one, /away/)
    assert.equal(await find('a'), 1)
    assert.equal(cache.counts.entries, 1)
  })

  test('that took long does not replace a newer one', async () => {
    const { cache, find } = open(megabyte)
    let finish: (text: string) => void
    const slow = cache.find(
      'a',
      '1',
      owner,
      () => new Promise((resolve) => (finish = (text) => resolve(jsonResponse(text)))),
    )
    assert.equal(await find('a', '2'), 1)
    finish!('0')
    await slow
    assert.equal(await find('a', '2'), 1)
  })
})

describe('the cache', () => {
  test('stays within its limit and evicts the least recently used response', async () => {
    const { find, cache, created } = open(10 * 20_000)
    for (const name of 'abcdefgh') await find(name, '1', 20_000)
    await find('a')
    for (const name of 'ijklmnop') {
      await find(name, '1', 20_000)
      assert.ok(cache.counts.bytes <= 200_000, `${cache.counts.bytes}`)
      await find('a')
    }
    const before = created()
    await find('a')
    await find('p')
    assert.equal(created(), before, 'a is used often, p is new')
    await find('b', '1', 20_000)
    assert.equal(created(), before + 1, 'b was evicted')
    assert.ok(cache.counts.evictions >= 7)
  })

  test('counts compressed forms, which are created once', async () => {
    const { find, cache } = open(megabyte)
    await find('a', '1', 50_000)
    const before = cache.counts.bytes
    const [first, second] = [await compressed(cache, 'a'), await compressed(cache, 'a')]
    assert.equal(first.headers['content-encoding'], 'br')
    assert.equal(first.body, second.body, 'the same buffer')
    assert.equal(cache.counts.bytes, before + first.body.length)
    await find('a', '2', 10)
    assert.ok(cache.counts.bytes < before, 'the replaced response is not counted')
  })

  test('of 0 bytes stores nothing', async () => {
    const { find, cache } = open(0)
    assert.deepEqual([await find('a'), await find('a')], [1, 2])
    assert.deepEqual([cache.counts.bytes, cache.counts.entries], [0, 0])
  })

  test('is not emptied for a response that is too large', async () => {
    const { find, cache } = open(100_000)
    await find('a')
    await find('large', '1', 200_000)
    assert.equal(await find('a'), 1)
    assert.equal(cache.counts.entries, 1)
  })
})

describe('what is remembered with a response', () => {
  const remembering = async () => {
    const opened = open(megabyte)
    await opened.find('a', '1')
    opened.cache.remember('name', 'a', '1', 'known')
    return opened
  }

  test('is recalled with its response, and counted', async () => {
    const { cache } = await remembering()
    const { bytes } = cache.counts
    const { version, known, use } = cache.recall('name')!
    assert.deepEqual([version, known, Number(await textOf(use()))], ['1', 'known', 1])
    cache.remember('name', 'a', '1', 'known')
    assert.equal(cache.counts.bytes, bytes, 'the same name counts once')
    cache.remember('other', 'a', '1', 'known')
    assert.ok(cache.counts.bytes > bytes)
  })

  test('is gone with its response, or once it is forgotten', async () => {
    const { cache, find } = await remembering()
    cache.remember('other', 'a', '1', 'known')
    cache.recall('other')!.forget()
    assert.equal(cache.recall('other'), undefined)
    await find('a', '2')
    assert.equal(cache.recall('name'), undefined)
    cache.remember('name', 'a', '1', 'known')
    assert.equal(cache.recall('name'), undefined, 'the response has another version')
  })

  test('does not replace a newer response if it is used late', async () => {
    const { cache, find } = await remembering()
    const recalled = cache.recall('name')!
    assert.equal(await find('a', '2'), 2)
    recalled.use()
    assert.equal(await find('a', '2'), 2)
  })
})
