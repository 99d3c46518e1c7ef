// A request whose body stops arriving gets 408, on every implementation of HTTP.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { insertData, web } from '../support/data.ts'
import { api, asService, issueKey, serviceDatabase, startArtifact } from '../support/workgate.ts'

const database = await serviceDatabase('artifact')
after(() => database.drop())
const service = await startArtifact(asService(database.url))
after(() => service.close())
await insertData(database.sql)
const key = await issueKey(database.sql, 'slow')

test('a body that stops gets 408, and writes nothing', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1')
  const head = [`POST ${api}/projects/${web}/tasks HTTP/1.1`, 'Host: a', `Authorization: Bearer ${key}`]
  socket.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 100'].join('\r\n')}\r\n\r\n`)
  socket.write('{"title": "Stops"')
  let text = ''
  for await (const part of socket) text += part
  assert.match(text, /^HTTP\/1\.1 408 /)
  assert.equal((await database.sql`select from workgate.tasks where title = 'Stops'`).length, 0)
})
