// A page of a list links to the next page.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, web } from '../support/data.ts'
import { api } from '../support/workgate.ts'

const { workgate, key, get } = await contractSuite({ data: 'tasks' })

await workgate.sql`insert into workgate.projects (key, name) values ('ONE', 'é e'), ('TWO', 'é e')`

const tasks = `/projects/${web}/tasks`
const pattern = /^<([^<>"\s]+)>; rel="next"$/

/** The URL of the next page, as a client resolves it: the path below the API's path, with its query. */
function nextOf(path: string, link: string): string {
  const [, target] = pattern.exec(link) ?? []
  assert.ok(target !== undefined, link)
  const { pathname, search } = new URL(target, `https://example.org/prefix${api}${path}`)
  assert.ok(pathname.startsWith(`/prefix${api}/`), pathname)
  return pathname.slice(`/prefix${api}`.length) + search
}

describe('a list links to its next page exactly if there is one:', () => {
  for (const [method, path, { docs, query }] of routes) {
    if (method !== 'GET' || !('cursor' in query.entries)) continue
    test(docs.operationId, async () => {
      const ids: string[] = []
      let next: string | undefined = `${fill(path, web)}?limit=1`
      const whole = (await get(`${fill(path, web)}?limit=200`)).body.data as { id: string }[]
      while (next !== undefined) {
        const { body, headers }: any = await get(next)
        ids.push(...body.data.map(({ id }: { id: string }) => id))
        assert.equal(headers['link'] !== undefined, body.meta.hasMore)
        if (headers['link'] === undefined) break
        const url = nextOf(next, headers['link'])
        assert.deepEqual([...new URLSearchParams(url.split('?')[1])], [['limit', '1'], ['cursor', body.meta.nextCursor]]) // prettier-ignore
        next = url
      }
      assert.deepEqual(ids, whole.map(({ id }) => id)) // prettier-ignore
    })
  }
})

test('other responses have no link', async () => {
  for (const path of ['/key', `/projects/${web}`, `${tasks}?limit=200`, '/nothing', `${tasks}?limit=1&cursor=x`]) {
    assert.equal((await get(path)).headers['link'], undefined, path)
  }
})

test('HEAD, 304 and every encoding have the same link, whether the page is cached or not', async () => {
  const path = `${tasks}?limit=3&sort=number&include=tags`
  const { headers, body } = await get(path)
  const expected = `<./tasks?limit=3&sort=number&include=tags&cursor=${body.meta.nextCursor}>; rel="next"`
  assert.equal(headers['link'], expected)
  for (const encoding of ['identity', 'gzip', 'br']) {
    const first = await workgate.send(`GET ${path}`, { key, headers: { 'accept-encoding': encoding } })
    for (const method of ['GET', 'HEAD']) {
      const conditional = { 'accept-encoding': encoding, 'if-none-match': first.headers['etag']! }
      const same = await workgate.send(`${method} ${path}`, { key, headers: conditional })
      const fresh = await workgate.send(`${method} ${path}`, { key, headers: { 'accept-encoding': encoding } })
      assert.deepEqual([same.status, same.headers['link'], fresh.headers['link']], [304, expected, expected])
    }
  }
})

describe('the link has the parameters of its own request:', () => {
  // prettier-ignore
  const spellings: [claim: string, path: string, target: string][] = [
    ['in their order and spelling',           `${tasks}?sort=number&limit=2&state=open,completed,cancelled`, 'tasks?sort=number&limit=2&state=open,completed,cancelled'],
    ['in another order',                      `${tasks}?limit=2&state=open%2Ccompleted,cancelled&sort=number`, 'tasks?limit=2&state=open%2Ccompleted,cancelled&sort=number'],
    ['with characters that end a header encoded', `/projects?limit=1&q=>;%20"e`,                             'projects?limit=1&q=%3E;%20%22e'],
    ['with characters outside ASCII encoded', `/projects?limit=1&q=é<e`,                                     'projects?limit=1&q=%C3%A9%3Ce'],
    ['without empty ones',                    `${tasks}?&limit=2&&sort=number&`,                              'tasks?limit=2&sort=number'],
    ['below a path with a slash at its end',  `${tasks}/?limit=2&sort=number`,                                '?limit=2&sort=number'],
  ]
  for (const [claim, path, target] of spellings) {
    test(claim, async () => {
      const { status, headers, body } = await get(path)
      assert.equal(status, 200)
      assert.equal(headers['link'], `<./${target}&cursor=${body.meta.nextCursor}>; rel="next"`)
      const following = await get(nextOf(path, headers['link']!))
      assert.equal(following.status, 200)
    })
  }

  test('and the new cursor in place of the earlier one, however its name is spelled', async () => {
    const first = (await get(`${tasks}?limit=1&sort=number`)).body.meta.nextCursor
    for (const name of ['cursor', '%63ursor', 'cur%73or']) {
      const { headers, body } = await get(`${tasks}?${name}=${first}&limit=1&sort=number`)
      assert.equal(headers['link'], `<./tasks?limit=1&sort=number&cursor=${body.meta.nextCursor}>; rel="next"`)
      assert.notEqual(body.meta.nextCursor, first)
    }
  })
})
