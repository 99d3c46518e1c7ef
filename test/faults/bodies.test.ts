// Bodies on the wire: how they come, when they are asked for, and what becomes of those that do not come whole.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { contractSuite } from '../support/contract-suite.ts'
import { api, startArtifact, type LogLine } from '../support/workgate.ts'

const { workgate, key } = await contractSuite()
const lines: string[] = []
const service = await startArtifact({ DATABASE_URL: workgate.url }, lines)
after(() => service.close())

const json = { 'content-type': 'application/json' }
const post = (headers: Record<string, string | number>, path = '/projects') =>
  request(`${service.url}${api}${path}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
const answerOf = async (asking: ClientRequest) => {
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  let text = ''
  for await (const bytes of response) text += bytes
  return { status: response.statusCode, body: JSON.parse(text) }
}
const count = async () => Number((await workgate.sql`select count(*) from workgate.projects`)[0]!['count'])
const body = (name: string) => JSON.stringify({ name })

describe('a body is taken', { concurrency: true }, () => {
  test('in pieces, each a while after the other', async () => {
    const asking = post({ ...json, 'transfer-encoding': 'chunked' })
    const answer = answerOf(asking)
    for (const letter of body('In pieces: 😀')) {
      asking.write(letter)
      await sleep(5)
    }
    asking.end()
    assert.equal((await answer).body.data.name, 'In pieces: 😀')
  })

  test('of 256 KiB', async () => {
    const asking = post(json)
    asking.end(body('Large').padEnd(262_144))
    assert.equal((await answerOf(asking)).status, 201)
  })

  test('when it was asked for: 100 Continue comes once it is wanted', async () => {
    const asking = post({ ...json, expect: '100-continue' })
    const continued = once(asking, 'continue')
    asking.flushHeaders()
    await continued
    asking.end(body('Asked for'))
    assert.equal((await answerOf(asking)).status, 201)
  })

  test('in front of one that is broken, which alone fails', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const head = `POST ${api}/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const [first, second] = [body('In front of a broken one'), body('A broken one')]
    socket.write(
      `${head}Content-Length: ${first.length}\r\n\r\n${first}` +
        `${head}Transfer-Encoding: chunked\r\n\r\n${second.length.toString(16)}\r\n${second}\r\nnonsense\r\n`,
    )
    let text = ''
    for await (const bytes of socket) text += bytes
    assert.deepEqual(text.match(/(?<=HTTP\/1.1 )\d+/g), ['201', '400'])
    const names = await workgate.sql`select name from workgate.projects where name ilike '%a broken one'`
    assert.deepEqual([...names], [{ name: 'In front of a broken one' }])
  })
})

describe('a body is not asked for', { concurrency: true }, () => {
  const unwanted: [claim: string, headers: Record<string, string | number>, status: number][] = [
    ['without a key', { ...json, authorization: 'Bearer nobody' }, 401],
    ['of another type', { 'content-type': 'text/plain' }, 415],
    ['of more than 256 KiB', { ...json, 'content-length': 262_145 }, 413],
  ]
  for (const [claim, headers, status] of unwanted) {
    test(claim, async () => {
      const asking = post({ expect: '100-continue', ...headers })
      let continued = false
      asking.on('continue', () => (continued = true))
      const answer = answerOf(asking)
      asking.flushHeaders()
      assert.equal((await answer).status, status)
      assert.equal(continued, false)
      asking.destroy()
    })
  }
})

describe('a body that does not come whole writes nothing:', { concurrency: true }, () => {
  test('the client goes away in the middle', async () => {
    const before = await count()
    const asking = post({ ...json, 'content-length': 100, 'x-request-id': 'gone' })
    asking.on('error', () => {})
    asking.write(body('Half').slice(0, 8))
    await sleep(200)
    asking.destroy()
    const logged = () => lines.map((line) => JSON.parse(line) as LogLine).find((line) => line['requestId'] === 'gone')
    while (!logged()) await sleep(20)
    assert.equal(logged()!['level'], 'info')
    assert.equal(await count(), before)
  })

  test('what should be a chunk is none', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(
      `POST ${api}/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\nnonsense\r\n',
    )
    let text = ''
    for await (const bytes of socket) text += bytes
    assert.match(text, /^HTTP\/1.1 400 .*MALFORMED_REQUEST/s)
    assert.equal(text.match(/HTTP\/1.1/g)!.length, 1)
  })

  test('the client stops in the middle, and is told', async () => {
    const before = await count()
    const asking = post({ ...json, 'content-length': 100 })
    asking.on('error', () => {})
    asking.write(body('Half').slice(0, 8))
    const { status, body: problem } = await answerOf(asking)
    assert.deepEqual([status, problem.code], [408, 'REQUEST_TIMEOUT'])
    assert.equal(await count(), before)
  })
})

describe('what a key may is looked at again after a body that came slowly:', { concurrency: true }, () => {
  // prettier-ignore
  const changes: [claim: string, statement: (name: string) => string, answer: (string | number)[]][] = [
    ['all of it is as before',   () => 'select 1',                                                                   [201]],
    ['the key is revoked',       (name) => `select workgate.revoke_key('${name}')`,                                  [401, 'KEY_REVOKED']],
    ['it may not write now',     (name) => `update workgate.api_keys set operations = '{}' where name = '${name}'`,  [403, 'OPERATION_DENIED']],
    ['the project is not of it', (name) => `select workgate.set_key_projects('${name}', '{}')`,                      [403, 'ACCESS_DENIED']],
  ]
  for (const [n, [claim, statement, answer]] of changes.entries()) {
    test(claim, async () => {
      const { sql } = workgate
      const [project] = await sql`insert into workgate.projects (key, name) values (${`LATE${n}`}, 'Late') returning id`
      const changing = await workgate.issueKey(claim, { projects: [project!['id']], operations: ['create_task'] })
      const headers = { ...json, authorization: `Bearer ${changing}`, expect: '100-continue' }
      const asking = post(headers, `/projects/${project!['id']}/tasks`)
      const continued = once(asking, 'continue')
      asking.flushHeaders()
      await continued
      await sql.unsafe(statement(claim))
      // What comes within a second counts as there at once.
      await sleep(1_100)
      asking.end('{"title": "Late"}')
      const { status, body } = await answerOf(asking)
      assert.deepEqual([status, body.code].filter(Boolean), answer)
      const written = await sql`select from workgate.tasks where project_id = ${project!['id']}`
      assert.equal(written.length, status === 201 ? 1 : 0)
    })
  }
})
