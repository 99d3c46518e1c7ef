// Responses to requests that use a deprecated operation or parameter announce its removal. Nothing is deprecated now, so
// this file declares some before it opens the service.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { routes } from '../../src/routes.ts'
import type { EndpointDocs } from '../../src/api/endpoint.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { web } from '../support/data.ts'
import { api } from '../support/workgate.ts'

const docsOf = (id: string): EndpointDocs => routes.find(([, , { docs }]) => docs.operationId === id)![2].docs

const declaredNow = routes.filter(([, , { docs }]) => docs.deprecated || docs.deprecatedParameters)

const whole = { since: '2027-01-01', sunset: '2028-01-01', guide: 'compatibility#removals' }
for (const id of ['listUsers', 'completeTask']) docsOf(id).deprecated = whole
docsOf('listTasks').deprecatedParameters = {
  sort: { since: '2027-03-01', sunset: '2028-06-01', guide: 'pagination#sorts' },
  tag: { since: '2027-02-01', sunset: '2028-05-01', guide: 'pagination#filters' },
}

const { workgate, key, send } = await contractSuite({ data: 'basic', target: 'process' })

const announcementOf = ({ headers }: { headers: Record<string, string> }) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers[name])

const seconds = (day: string) => Date.parse(day) / 1_000
const absolute = (link: string, path: string) =>
  link.replace(/<([^>]+)>/g, (_, target: string) => `<${new URL(target, `http://workgate${api}${path}`).pathname + new URL(target, 'http://x').hash}>`) // prettier-ignore

test('nothing is deprecated now, as the guide to compatibility says', async () => {
  assert.deepEqual(declaredNow, [])
  assert.match(await readFile('src/docs/guides/compatibility.md', 'utf8'), /^Nothing is deprecated\.$/m)
})

describe('a deprecated operation', () => {
  const users = `/projects/${web}/users`
  const links = '</docs/compatibility#removals>; rel="deprecation", </docs/compatibility#removals>; rel="sunset"'

  // prettier-ignore
  const requests: [claim: string, line: string, status: number, headers?: Record<string, string>][] = [
    ['a success',                     `GET ${users}`,            200],
    ['a success with a slash at the end of its path', `GET ${users}/`, 200],
    ['a success without a body',      `HEAD ${users}`,           200],
    ['an error',                      `GET ${users}?x=1`,        400],
    ['a write that fails',            `POST /projects/${web}/tasks/x/complete`, 404],
  ]
  for (const [claim, line, status] of requests) {
    test(`is announced in ${claim}`, async () => {
      const reply = await send(line, { key })
      assert.equal(reply.status, status)
      const [deprecation, sunset, link] = announcementOf(reply)
      assert.equal(deprecation, `@${seconds('2027-01-01')}`)
      assert.equal(sunset, 'Sat, 01 Jan 2028 00:00:00 GMT')
      assert.equal(absolute(link!, line.split(' ')[1]!), links)
    })
  }

  test('is announced in a response from the cache, and in 304', async () => {
    const first = await send(`GET ${users}`, { key })
    const again = await send(`GET ${users}`, { key, headers: { 'if-none-match': first.headers['etag']! } })
    assert.equal(again.status, 304)
    assert.deepEqual(announcementOf(again), announcementOf(first))
  })

  test('is not announced to a request without a valid key', async () => {
    const reply = await send(`GET ${users}`)
    assert.equal(reply.status, 401)
    assert.deepEqual(announcementOf(reply), [undefined, undefined, undefined])
  })

  test('is announced after the link to the next page', async () => {
    const [, , link] = announcementOf(await send(`GET ${users}?limit=1`, { key }))
    const [next, ...rest] = link!.split(', ')
    assert.match(next!, /^<\.\/users\?limit=1&cursor=[^>]+>; rel="next"$/)
    assert.equal(absolute(rest.join(', '), users), links)
  })
})

describe('a deprecated parameter', () => {
  const tasks = `/projects/${web}/tasks`

  test('is announced if the request uses it, with the earliest dates and every link', async () => {
    assert.deepEqual(announcementOf(await send(`GET ${tasks}`, { key })), [undefined, undefined, undefined])
    const unknown = await send(`GET ${tasks}?constructor=1&__proto__=1`, { key })
    assert.deepEqual([unknown.status, ...announcementOf(unknown)], [400, undefined, undefined, undefined])
    const [since, sunset, link] = announcementOf(await send(`GET ${tasks}?sort=number`, { key }))
    assert.deepEqual([since, sunset], [`@${seconds('2027-03-01')}`, 'Thu, 01 Jun 2028 00:00:00 GMT'])
    assert.match(link!, /pagination#sorts>; rel="deprecation"/)
    const both = announcementOf(await send(`GET ${tasks}?sort=number&tag=phone`, { key }))
    assert.deepEqual(both.slice(0, 2), [`@${seconds('2027-02-01')}`, 'Mon, 01 May 2028 00:00:00 GMT'])
    assert.match(both[2]!, /pagination#sorts>; rel="sunset".*pagination#filters>; rel="sunset"$/)
  })
})

test('the OpenAPI document marks what is deprecated, with its dates', async () => {
  const { body } = await workgate.send('GET //openapi.json')
  const users = body.paths['/projects/{projectId}/users'].get
  assert.deepEqual(
    [users.deprecated, users['x-deprecated-since'], users['x-sunset']],
    [true, '2027-01-01', '2028-01-01'],
  )
  assert.match(users.description, /^\*\*Deprecated\*\* since 2027-01-01, .*\(\/docs\/compatibility#removals\)\.\n\n/)
  const { parameters } = body.paths['/projects/{projectId}/tasks'].get
  const deprecated = parameters.filter((parameter: { deprecated?: true }) => parameter.deprecated)
  assert.deepEqual(deprecated.map(({ name }: { name: string }) => name).sort(), ['sort', 'tag']) // prettier-ignore
})
