// A line break or another control character in the header of the key: the error names the header and never repeats its
// value. Requests are sent as bytes, because HTTP clients refuse most of them.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { recordSecret } from '../support/log.ts'
import { api, asService, serviceDatabase, startArtifact } from '../support/workgate.ts'

const database = await serviceDatabase('artifact')
after(() => database.drop())
const service = await startArtifact({ PUBLIC_URL: 'https://example.org/w', ...asService(database.url) })
after(() => service.close())

const key = `environment-${crypto.randomUUID()}`
recordSecret(key)

/** Sends the lines of a head. Returns the response as text. */
async function send(...lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${[`GET ${api}/key HTTP/1.1`, 'Host: a', ...lines, 'Connection: close', 'Accept: */*'].join('\r\n')}\r\n\r\n`, 'latin1') // prettier-ignore
  return (await socket.setEncoding('latin1').toArray()).join('')
}

const sentence = (header: string) =>
  `The ${header} header contains a line break or another control character. A key that was read from a file often ends with one: remove it.`

// prettier-ignore
const refused: [claim: string, line: string, header: string, code: string][] = [
  ['a line feed at the end of a bearer key',   `Authorization: Bearer ${key}\n`,            'Authorization', 'MALFORMED_REQUEST'],
  ['a carriage return at the end of one',      `authorization:Bearer ${key}\r`,             'Authorization', 'MALFORMED_REQUEST'],
  ['a line feed within one',                   `Authorization: Bearer ${key}\n${key}`,      'Authorization', 'MALFORMED_REQUEST'],
  ['a folded line after one',                  `Authorization: Bearer ${key}\r\n  ${key}`,  'Authorization', 'MALFORMED_REQUEST'],
  ['a second line of one',                     `Authorization: Bearer ${key}\r\n${key}`,    'Authorization', 'MALFORMED_REQUEST'],
  ['a NUL within one',                         `Authorization: Bearer ${key}\0${key}`,      'Authorization', 'MALFORMED_REQUEST'],
  ['a tab within one',                         `Authorization: Bearer ${key}\t${key}`,      'Authorization', 'UNAUTHENTICATED'],
  ['a line feed at the end of an X-API-Key',   `X-API-Key: ${key}\n`,                       'X-API-Key',     'MALFORMED_REQUEST'],
  ['a carriage return at the end of one too',  `x-api-key: ${key}\r`,                       'X-API-Key',     'MALFORMED_REQUEST'],
  ['an escape within an X-API-Key',            `X-API-Key: \x1b[0m${key}`,                  'X-API-Key',     'MALFORMED_REQUEST'],
  ['a tab within an X-API-Key',                `X-API-Key: ${key}\t${key}`,                 'X-API-Key',     'UNAUTHENTICATED'],
]
for (const [claim, line, header, code] of refused) {
  test(`${claim} is named`, async () => {
    const text = await send(line)
    const body = JSON.parse(text.split('\r\n\r\n')[1]!)
    assert.deepEqual([body.code, body.detail], [code, sentence(header)])
    assert.equal(body.type, `https://example.org/w/docs/errors#${code}`)
    assert.deepEqual(body.errors?.map(({ in: place, name }: any) => [place, name]), code === 'MALFORMED_REQUEST' ? [['header', header]] : undefined) // prettier-ignore
    assert.ok(!text.includes(key.slice(12)))
  })
}

// prettier-ignore
const others: [claim: string, line: string][] = [
  ['in another header',                          'X-Other: a\n'],
  ['in a header after the key',                  `X-API-Key: ${key}\r\nX-Other: a\n`],
  ['in a name after the key',                    `X-API-Key: ${key}\r\nX Other: a`],
  ['in a header whose value contains the name',  'X-Other: x-api-key: a\n'],
]
for (const [claim, line] of others) {
  test(`a control character or space ${claim} is not attributed to the key`, async () => {
    const body = JSON.parse((await send(line)).split('\r\n\r\n')[1]!)
    assert.deepEqual(
      [body.code, body.detail, body.errors],
      ['MALFORMED_REQUEST', 'The connection is closed.', undefined],
    )
  })
}

test('a header of the key that is too long is not called broken', async () => {
  const body = JSON.parse((await send(`Authorization: Bearer ${key.repeat(400)}`)).split('\r\n\r\n')[1]!)
  assert.deepEqual([body.code, body.errors], ['HEADERS_TOO_LARGE', undefined])
})

test('a space or tab around a key is not part of it', async () => {
  for (const line of [`Authorization: Bearer ${key} \t`, `X-API-Key: \t${key}\t`]) {
    assert.match(await send(line), /"detail":"The API key is unknown or mistyped."/)
  }
})
