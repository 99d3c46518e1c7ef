// Request bodies on the wire: in pieces, with 100 Continue, and incomplete.

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
const responseTo = async (outgoing: ClientRequest) => {
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const bytes of response) text += bytes
  return { status: response.statusCode, body: JSON.parse(text) }
}
const count = async () => Number((await workgate.sql`select count(*) from workgate.projects`)[0]!['count'])
const body = (name: string) => JSON.stringify({ name })

describe('a body is accepted', { concurrency: true }, () => {
  test('in pieces, with pauses between them', async () => {
    const outgoing = post({ ...json, 'transfer-encoding': 'chunked' })
    const response = responseTo(outgoing)
    for (const letter of body('In pieces: 😀')) {
      outgoing.write(letter)
      await sleep(5)
    }
    outgoing.end()
    assert.equal((await response).body.data.name, 'In pieces: 😀')
  })

  test('of 256 KiB', async () => {
    const outgoing = post(json)
    outgoing.end(body('Large').padEnd(262_144))
    assert.equal((await responseTo(outgoing)).status, 201)
  })

  test('after 100 Continue, which is sent once the service wants the body', async () => {
    const outgoing = post({ ...json, expect: '100-continue' })
    const continued = once(outgoing, 'continue')
    outgoing.flushHeaders()
    await continued
    outgoing.end(body('Asked for'))
    assert.equal((await responseTo(outgoing)).status, 201)
  })

  test('before a malformed one, and only the malformed one fails', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    const head = `POST ${api}/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    const [first, second] = [body('Before a broken one'), body('A broken one')]
    socket.write(
      `${head}Content-Length: ${first.length}\r\n\r\n${first}` +
        `${head}Transfer-Encoding: chunked\r\n\r\n${second.length.toString(16)}\r\n${second}\r\nnonsense\r\n`,
    )
    let text = ''
    for await (const bytes of socket) text += bytes
    assert.deepEqual(text.match(/(?<=HTTP\/1.1 )\d+/g), ['201', '400'])
    const names = await workgate.sql`select name from workgate.projects where name ilike '%a broken one'`
    assert.deepEqual([...names], [{ name: 'Before a broken one' }])
  })
})

describe('no 100 Continue is sent for a body', { concurrency: true }, () => {
  const unwanted: [claim: string, headers: Record<string, string | number>, status: number][] = [
    ['without a key', { ...json, authorization: 'Bearer nobody' }, 401],
    ['with another content type', { 'content-type': 'text/plain' }, 415],
    ['of more than 256 KiB', { ...json, 'content-length': 262_145 }, 413],
  ]
  for (const [claim, headers, status] of unwanted) {
    test(claim, async () => {
      const outgoing = post({ expect: '100-continue', ...headers })
      let continued = false
      outgoing.on('continue', () => (continued = true))
      const response = responseTo(outgoing)
      outgoing.flushHeaders()
      assert.equal((await response).status, status)
      assert.equal(continued, false)
      outgoing.destroy()
    })
  }
})

describe('an incomplete body writes nothing:', { concurrency: true }, () => {
  test('the client disconnects in the middle', async () => {
    const before = await count()
    const outgoing = post({ ...json, 'content-length': 100, 'x-request-id': 'gone' })
    outgoing.on('error', () => {})
    outgoing.write(body('Half').slice(0, 8))
    await sleep(200)
    outgoing.destroy()
    const logged = () => lines.map((line) => JSON.parse(line) as LogLine).find((line) => line['requestId'] === 'gone')
    while (!logged()) await sleep(20)
    assert.equal(logged()!['level'], 'info')
    assert.equal(await count(), before)
  })

  test('a chunk is malformed', async () => {
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

  test('the client stops sending in the middle, and gets 408', async () => {
    const before = await count()
    const outgoing = post({ ...json, 'content-length': 100 })
    outgoing.on('error', () => {})
    outgoing.write(body('Half').slice(0, 8))
    const { status, body: problem } = await responseTo(outgoing)
    assert.deepEqual([status, problem.code], [408, 'REQUEST_TIMEOUT'])
    assert.equal(await count(), before)
  })
})

describe("a key's access and the names in a path are checked again after a slow body:", { concurrency: true }, () => {
  // prettier-ignore
  const changes: [claim: string, statement: (name: string) => string, expected: (string | number)[], by?: 'key'][] = [
    ['nothing has changed',      () => 'select 1',                                                                   [201]],
    ['the key is revoked',       (name) => `select workgate.revoke_key('${name}')`,                                  [401, 'KEY_REVOKED']],
    ['the operation is removed', (name) => `update workgate.api_keys set operations = '{}' where name = '${name}'`,  [403, 'OPERATION_DENIED']],
    ['the project is removed',   (name) => `select workgate.set_key_projects('${name}', '{}')`,                      [403, 'ACCESS_DENIED']],
    ['the path has the key of the project', () => 'select 1',                                                        [201], 'key'],
    ['the project has another key', () => `update workgate.projects set key = 'LATER' where key = 'LATE5'`,          [403, 'ACCESS_DENIED'], 'key'],
  ]
  for (const [n, [claim, statement, expected, by]] of changes.entries()) {
    test(claim, async () => {
      const { sql } = workgate
      const [project] = await sql`insert into workgate.projects (key, name) values (${`LATE${n}`}, 'Late') returning id`
      const changing = await workgate.issueKey(claim, { projects: [project!['id']], operations: ['create_task'] })
      const headers = { ...json, authorization: `Bearer ${changing}`, expect: '100-continue' }
      const outgoing = post(headers, `/projects/${by === 'key' ? `LATE${n}` : project!['id']}/tasks`)
      const continued = once(outgoing, 'continue')
      outgoing.flushHeaders()
      await continued
      await sql.unsafe(statement(claim))
      // The key is checked again only if more than a second has passed.
      await sleep(1_100)
      outgoing.end('{"title": "Late"}')
      const { status, body } = await responseTo(outgoing)
      assert.deepEqual([status, body.code].filter(Boolean), expected)
      const written = await sql`select from workgate.tasks where project_id = ${project!['id']}`
      assert.equal(written.length, status === 201 ? 1 : 0)
    })
  }
})
