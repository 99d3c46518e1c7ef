// The guides: that they are whole, that their links lead somewhere, and that nothing of the service is left out.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { describeSettings } from '../../src/config/config.ts'
import { renderGuidePage, guides, guideStyle } from '../../src/docs/guides.ts'
import { problems } from '../../src/api/problems/problem.ts'
import { routes } from '../../src/routes.ts'
import { brokenTags, codeSamples, idsOf, linksOf, textOf } from '../support/html.ts'

const pages = new Map(guides.map((guide) => [`/docs/${guide.slug}`, renderGuidePage(guide)]))
const ids = new Map([...pages].map(([path, page]) => [path, idsOf(page)]))
const all = [...pages.values()].join('\n')

/** What others serve beside the guides. */
const beside = ['/docs', '/docs/style.css', '/docs/favicon.svg', '/openapi.json']
const outside = /^https:\/\/www\.rfc-editor\.org\/rfc\/rfc\d+$/

for (const [path, page] of pages) {
  describe(path, () => {
    test('has tags that are balanced and stand where they may', () => assert.deepEqual(brokenTags(page), []))

    test('has every id once', () => {
      const found = ids.get(path)!
      assert.deepEqual(
        found.filter((id, place) => found.indexOf(id) !== place),
        [],
      )
    })

    test('has links that lead to pages and anchors that there are', () => {
      const dead = linksOf(page).filter((link) => {
        const [target = '', anchor] = link.split('#')
        if (anchor !== undefined) return !ids.get(target || path)?.includes(anchor)
        return !pages.has(target) && !beside.includes(target) && !outside.test(target)
      })
      assert.deepEqual(dead, [])
    })

    test('has one heading, and lists its sections', () => {
      assert.equal(page.match(/<h1>/g)?.length, 1)
      const [contents] = /<nav class="contents"[\s\S]*?<\/nav>/.exec(page)!
      const sections = [...page.matchAll(/<h2([^>]*)>/g)].map(([, attributes]) => /id="([^"]+)"/.exec(attributes!)?.[1])
      assert.ok(sections.length > 2)
      assert.deepEqual(
        linksOf(contents),
        sections.map((id) => `#${id}`),
      )
    })

    test('says which of the guides it is', () => {
      const [list] = /<nav class="guides"[\s\S]*?<\/nav>/.exec(page)!
      assert.deepEqual(linksOf(list), [...pages.keys()])
      assert.deepEqual(
        [...list.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, href]) => href),
        [path],
      )
    })

    test('needs no script, no style of its own and nothing from another host', () => {
      const tags = page.match(/<[a-z][^>]*>/g)!
      const loads = /^<(script|style|iframe|object|embed|base|form|img)\b|\s(style|src|srcset|on\w+)=|javascript:/i
      assert.deepEqual(
        tags.filter((tag) => loads.test(tag)),
        [],
      )
      const loaded = linksOf(tags.filter((tag) => tag.startsWith('<link ')).join(''))
      assert.deepEqual(loaded, ['/docs/favicon.svg', '/docs/style.css'])
    })
  })
}

test('the style loads nothing', () => assert.doesNotMatch(guideStyle, /@import|url\(|@font-face/))

test('every class that a page has is one that the style knows', () => {
  const used = new Set([...all.matchAll(/\sclass="([^"]+)"/g)].map(([, name]) => name!))
  assert.deepEqual(
    [...used].filter((name) => !guideStyle.includes(`.${name}`)),
    [],
  )
})

test('every code has its anchor on the page of errors, and no other id is in upper case', () => {
  const upper = [...ids].flatMap(([path, found]) => found.filter((id) => /[A-Z]/.test(id)).map((id) => `${path}#${id}`))
  assert.deepEqual(
    upper.sort(),
    Object.keys(problems)
      .map((code) => `/docs/errors#${code}`)
      .sort(),
  )
})

test('every route stands in a guide', () => {
  const missing = routes
    .map(([method, path]) => `${method} ${path}`)
    .filter((route) => !all.includes(`<code>${route}</code>`))
  assert.deepEqual(missing, [])
})

test('every setting stands in the guide to self-hosting, with its default', () => {
  const text = textOf(pages.get('/docs/self-hosting')!)
  const missing = describeSettings().filter(
    ({ name, fallback, meaning }) => !text.includes(`${name}${fallback}${meaning}`),
  )
  assert.deepEqual(missing, [])
})

test('samples of code are HTML that shows them as they are', () => {
  const samples = codeSamples(pages.get('/docs/quick-start')!)
  const walk = samples.find(({ file }) => file === 'walk.mjs')!
  assert.match(walk.code, /new URLSearchParams\(\{ \.\.\.parameters, limit: 200 \}\)/)
  assert.match(
    samples
      .filter(({ runs }) => runs)
      .map(({ code }) => code)
      .join('\n'),
    /projects\?status=active&sort=name/,
  )
})

describe('the sample of the guide to errors', () => {
  const { code } = codeSamples(pages.get('/docs/errors')!).find(({ code }) => code.includes('async function send('))!
  const send = new Function(`${code}; return send`)() as (url: string, options?: RequestInit) => Promise<unknown>
  const withKey = { 'idempotency-key': 'order-4711' }

  // prettier-ignore
  const cases: [claim: string, first: 'nothing' | number, options: RequestInit, asked: number][] = [
    ['asks again for what was read',                         'nothing', {},                                    2],
    ['sends a write again that has an Idempotency-Key',      'nothing', { method: 'POST', headers: withKey },  2],
    ['sends no other write again that may have been done',   'nothing', { method: 'POST' },                    1],
    ['nor after 503',                                        503,       { method: 'POST' },                    1],
    ['sends a write again that was refused for its number',  429,       { method: 'POST' },                    2],
    ['sends nothing again that is refused for what it is',   404,       {},                                    1],
  ]
  for (const [claim, first, options, asked] of cases) {
    test(claim, async (t) => {
      let count = 0
      const server = createServer((request, response) => {
        if (++count > 1) return void response.end('{"data":[]}')
        if (first === 'nothing') return void request.socket.destroy()
        response.writeHead(first, { 'content-type': 'application/problem+json' }).end('{"code":"X"}')
      })
      t.after(() => server.close())
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const { port } = server.address() as AddressInfo
      const answer = send(`http://127.0.0.1:${port}`, {
        ...options,
        headers: { ...options.headers, connection: 'close' },
      })
      if (asked === 2) assert.deepEqual(await answer, { data: [] })
      else await assert.rejects(answer)
      assert.equal(count, asked)
    })
  }
})
