// What is kept, for how long, and what goes first.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createResponseCache } from '../../src/api/responses/response-cache.ts'
import { jsonResponse } from '../../src/api/responses/response.ts'

const megabyte = 1_048_576

function open(maxBytes: number) {
  const answers = createResponseCache(maxBytes)
  let made = 0
  /** The number of the making, padded. */
  const find = async (question: string, version = '1', size = 10) => {
    const found = await answers.find(question, version, async () => jsonResponse(String(++made).padEnd(size)))
    return Number(found.text())
  }
  return { answers, find, made: () => made }
}

const compressed = (answers: ReturnType<typeof createResponseCache>, question: string) =>
  answers
    .find(question, '1', () => Promise.reject(new Error('it is not kept')))
    .then((found) => found.respond({ 'accept-encoding': ['br'] }, ''))

describe('an answer', () => {
  test('is made once as long as the version is the same', async () => {
    const { find, answers } = open(megabyte)
    assert.deepEqual([await find('a'), await find('a'), await find('b'), await find('a')], [1, 1, 2, 1])
    const { hits, misses, entries } = answers.counts
    assert.deepEqual({ hits, misses, entries }, { hits: 2, misses: 2, entries: 2 })
  })

  test('is made again for another version, and replaces the one before', async () => {
    const { find, answers } = open(megabyte)
    assert.deepEqual(
      [await find('a', '1'), await find('a', '2'), await find('a', '2'), await find('a', '1')],
      [1, 2, 2, 3],
    )
    assert.equal(answers.counts.entries, 1)
  })

  for (const [memory, maxBytes] of Object.entries({ 'with memory': megabyte, 'without memory': 0 })) {
    test(`is made once for all that want it at the same time, ${memory}`, async () => {
      const { find, made, answers } = open(maxBytes)
      assert.deepEqual(
        await Promise.all([find('a'), find('a'), find('b'), find('a', '2'), find('a', '2')]),
        [1, 1, 2, 3, 3],
      )
      assert.equal(made(), 3)
      assert.equal(answers.counts.shared, 2)
    })
  }

  test('that is kept holds nothing but its own bytes', async () => {
    const { answers } = open(megabyte)
    const found = await answers.find('a', '1', async () => jsonResponse(JSON.stringify('a'.repeat(2_000))))
    for (const encoding of ['identity', 'br', 'gzip']) {
      const { body } = await found.respond({ 'accept-encoding': [encoding] }, '')
      assert.equal((body as Uint8Array).buffer.byteLength, (body as Uint8Array).byteLength, encoding)
    }
  })

  test('that could not be made is made anew for the next', async () => {
    const { answers, find } = open(megabyte)
    const fails = () => answers.find('a', '1', () => Promise.reject(new Error('away')))
    for (const one of [fails(), fails()]) await assert.rejects(one, /away/)
    assert.equal(await find('a'), 1)
    assert.equal(answers.counts.entries, 1)
  })

  test('that took long does not replace a newer one', async () => {
    const { answers, find } = open(megabyte)
    let finish: (text: string) => void
    const slow = answers.find(
      'a',
      '1',
      () => new Promise((resolve) => (finish = (text) => resolve(jsonResponse(text)))),
    )
    assert.equal(await find('a', '2'), 1)
    finish!('0')
    await slow
    assert.equal(await find('a', '2'), 1)
  })
})

describe('memory', () => {
  test('is never more than there may be, and what was not wanted longest goes', async () => {
    const { find, answers, made } = open(10 * 20_000)
    for (const name of 'abcdefgh') await find(name, '1', 20_000)
    await find('a')
    for (const name of 'ijklmnop') {
      await find(name, '1', 20_000)
      assert.ok(answers.counts.bytes <= 200_000, `${answers.counts.bytes}`)
      await find('a')
    }
    const before = made()
    await find('a')
    await find('p')
    assert.equal(made(), before, 'a was wanted often, p is new')
    await find('b', '1', 20_000)
    assert.equal(made(), before + 1, 'b has gone')
    assert.ok(answers.counts.evictions >= 7)
  })

  test('counts compressed forms, which are made once', async () => {
    const { find, answers } = open(megabyte)
    await find('a', '1', 50_000)
    const before = answers.counts.bytes
    const [first, second] = [await compressed(answers, 'a'), await compressed(answers, 'a')]
    assert.equal(first.headers['content-encoding'], 'br')
    assert.equal(first.body, second.body, 'the very same bytes')
    assert.equal(answers.counts.bytes, before + first.body.length)
    await find('a', '2', 10)
    assert.ok(answers.counts.bytes < before, 'what is replaced is not counted')
  })

  test('of none keeps none', async () => {
    const { find, answers } = open(0)
    assert.deepEqual([await find('a'), await find('a')], [1, 2])
    assert.deepEqual([answers.counts.bytes, answers.counts.entries], [0, 0])
  })

  test('is not given up for one answer that is too large', async () => {
    const { find, answers } = open(100_000)
    await find('a')
    await find('large', '1', 200_000)
    assert.equal(await find('a'), 1)
    assert.equal(answers.counts.entries, 1)
  })
})
