// A key whose statements occupy the database does not delay other keys. The statements of the greedy key wait for a
// lock, so no assertion depends on their duration. full-queue.test.ts tests the queue for connections.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, web } from '../support/data.ts'
import { countBlocked, lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import { type Reply } from '../support/workgate.ts'

const poolSize = 10
/** The connections of one key while others are active. */
const share = 2

const { sql, get, post, issueKey } = await contractSuite({
  data: 'basic',
  environment: { DATABASE_POOL: String(poolSize), STATEMENT_TIMEOUT_MS: '60000' },
})

const locks = {
  documents: 'lock table workgate.documents in access exclusive mode',
  writes: lockTasks(web),
}

let names = 0
/** A new key that has sent a request, so that its record is cached. */
async function usedKey(): Promise<string> {
  const key = await issueKey(`key ${++names}`)
  assert.equal((await get(`/projects?q=a${names}`, key)).status, 200)
  return key
}

/** Sends requests without waiting for their responses, and remembers the order of all responses. */
function recordOrder() {
  const order: string[] = []
  return {
    order,
    async of(name: string, reply: Promise<Reply>): Promise<Reply> {
      const received = await reply
      order.push(`${name} ${received.status}`)
      return received
    },
  }
}

/** A request that needs only a freshness check. After it, the statements of all earlier requests run or wait. */
async function passFreshnessCheck(key: string) {
  assert.equal((await get('/key', key)).status, 200)
}

/** Sends a request whose statement is blocked. While it runs, no other key is alone, however long the test takes. */
async function runBlocked(send: (key: string) => Promise<Reply>, key: string): Promise<[Promise<Reply>]> {
  const response = send(key)
  await untilBlocked(sql, 1)
  return [response]
}

let lists = 0
const documents = (key: string) => get(`/projects/${web}/documents?pathPrefix=a${++lists}`, key)
const teams = (key: string) => get(`/projects/${web}/teams?limit=${(++lists % 200) + 1}`, key)
const createTask = (key: string, project = web) => post(`/projects/${project}/tasks`, { title: 'x' }, {}, key)

test('a key alone uses all connections, and then other keys take turns with it', async () => {
  // The first test, so no other key was active before.
  const [greedy, victim, other] = [await issueKey('lone'), await issueKey('second'), await issueKey('third')]
  const { order, of } = recordOrder()
  let responses: Promise<Reply>[] = []
  await whileLocked(sql, locks.documents, async () => {
    responses = Array.from({ length: 10 * poolSize }, () => of('greedy', documents(greedy)))
    await untilBlocked(sql, poolSize)
    responses.push(of('victim', teams(victim)), of('other', teams(other)))
    await passFreshnessCheck(greedy)
  })
  await Promise.all(responses)
  assert.equal(order.filter((one) => one.endsWith('200')).length, 10 * poolSize + 2)
  const places = ['victim 200', 'other 200'].map((one) => order.indexOf(one))
  assert.ok(Math.max(...places) < 5 * poolSize, `they are the responses number ${places}`)
})

describe('a key that occupies connections', () => {
  // prettier-ignore
  const cases: [victim: string, lock: keyof typeof locks, greedy: (key: string) => Promise<Reply>, request: (key: string) => Promise<Reply>, status: number][] = [
    ['a read',  'documents', documents,    teams,                         200],
    ['a write', 'documents', documents,    (key) => createTask(key, app), 201],
    ['a read',  'writes',    createTask, teams,                         200],
    ['a write', 'writes',    createTask, (key) => createTask(key, app), 201],
  ]

  for (const [what, lock, greedily, request, status] of cases) {
    test(`with ${greedily === documents ? 'reads' : 'writes'} does not delay ${what} of another key`, async () => {
      const [greedy, victim] = [await usedKey(), await usedKey()]
      const responses: Promise<Reply>[] = []
      await whileLocked(sql, locks[lock], async () => {
        responses.push(...(await runBlocked(greedily, victim)))
        for (let n = 0; n < 5 * poolSize; n++) responses.push(greedily(greedy))
        await untilBlocked(sql, 1 + share)
        assert.equal((await request(victim)).status, status)
        assert.equal(await countBlocked(sql), 1 + share)
      })
      await Promise.all(responses)
    })
  }

  test('does not delay the same read of another key', async () => {
    const [greedy, victim] = [await usedKey(), await usedKey()]
    const { order, of } = recordOrder()
    const list = (key: string) => get(`/projects/${web}/stages?limit=7`, key)
    const responses: Promise<Reply>[] = []
    await whileLocked(sql, locks.documents, async () => {
      responses.push(...(await runBlocked(documents, victim)))
      for (let n = 0; n < 5 * poolSize; n++) responses.push(of('greedy', documents(greedy)))
      await untilBlocked(sql, 1 + share)
      responses.push(of('the same', list(greedy)))
      await of('victim', list(victim))
      assert.deepEqual(order, ['victim 200'])
    })
    await Promise.all(responses)
  })
})
