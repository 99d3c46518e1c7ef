// The guides are complete and linked correctly, and name every route and error code.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { compileGuide } from '../../src/build/guide.mjs'
import { renderGuidePage, guides, guideStyle } from '../../src/docs/guides.ts'
import { problems, type Code } from '../../src/api/problems/problem.ts'
import { entries } from '../../src/docs/error-entries.ts'
import { routes } from '../../src/routes.ts'
import { readCodeBlocks } from '../support/code-blocks.ts'
import { brokenTags, idsOf, linksOf } from '../support/html.ts'

interface ExampleProblem {
  status: number
  title: string
  code: Code
  detail: string
  errors?: { name: string; message: string }[]
}

const pages = new Map(guides.map((guide) => [`/docs/${guide.slug}`, renderGuidePage(guide)]))
const ids = new Map([...pages].map(([path, page]) => [path, idsOf(page)]))
const all = [...pages.values()].join('\n')

const otherPages = ['/docs', '/docs/style.css', '/docs/favicon.svg', '/openapi.json']
const external =
  /^https:\/\/(www\.rfc-editor\.org\/rfc\/rfc\d+|www\.w3\.org\/TR\/trace-context\/|github\.com\/scalar\/scalar)$/

/** The path and anchor of a link on a page, or the URL of another host. */
const targetOf = (link: string, path: string) =>
  new URL(link, `http://workgate${path}`).href.replace('http://workgate', '')

test('every file is a guide, and its slug is its name', async () => {
  const files = await readdir('src/docs/guides')
  assert.deepEqual(files.sort(), guides.map(({ slug }) => `${slug}.md`).sort())
})

for (const [path, page] of pages) {
  describe(path, () => {
    test('has balanced tags in valid places', () => assert.deepEqual(brokenTags(page), []))

    test('has unique ids', () => {
      const found = ids.get(path)!
      assert.deepEqual(
        found.filter((id, place) => found.indexOf(id) !== place),
        [],
      )
    })

    test('links only to pages and anchors that exist', () => {
      const dead = linksOf(page).filter((link) => {
        const [target = '', anchor] = targetOf(link, path).split('#')
        if (anchor !== undefined) return !ids.get(target)?.includes(anchor)
        return !pages.has(target) && !otherPages.includes(target) && !external.test(target)
      })
      assert.deepEqual(dead, [])
    })

    test('has only relative links to other pages, which work below any prefix', () => {
      assert.deepEqual(
        linksOf(page).filter((link) => link.startsWith('/')),
        [],
      )
    })

    test('has one title, and lists its sections', () => {
      assert.equal(page.match(/<h1>/g)?.length, 1)
      const [contents] = /<nav class="contents"[\s\S]*?<\/nav>/.exec(page)!
      const sections = [...page.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => `#${id}`)
      assert.ok(sections.length > 1)
      assert.deepEqual(linksOf(contents), sections)
    })

    test('marks itself in the list of guides', () => {
      const [list] = /<nav class="guides"[\s\S]*?<\/nav>/.exec(page)!
      assert.deepEqual(
        linksOf(list).map((link) => targetOf(link, path)),
        [...pages.keys()],
      )
      assert.deepEqual(
        [...list.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, href]) => targetOf(href!, path)),
        [path],
      )
    })

    test('needs no script, no inline style and nothing from another host', () => {
      const tags = page.match(/<[a-z][^>]*>/g)!
      const loads = /^<(script|style|iframe|object|embed|base|form|img)\b|\s(style|src|srcset|on\w+)=|javascript:/i
      assert.deepEqual(
        tags.filter((tag) => loads.test(tag)),
        [],
      )
      const loaded = linksOf(tags.filter((tag) => tag.startsWith('<link ')).join(''))
      assert.deepEqual(loaded, ['favicon.svg', 'style.css'])
    })
  })
}

test('the style loads nothing', () => assert.doesNotMatch(guideStyle, /@import|url\(|@font-face/))

test('the style defines every class that a page uses', () => {
  const used = new Set([...all.matchAll(/\sclass="([^"]+)"/g)].map(([, name]) => name!))
  assert.deepEqual(
    [...used].filter((name) => !guideStyle.includes(`.${name}`)),
    [],
  )
})

test('every error code has its anchor in the guide to errors, and no other id is in upper case', () => {
  const upper = [...ids].flatMap(([path, found]) => found.filter((id) => /[A-Z]/.test(id)).map((id) => `${path}#${id}`))
  assert.deepEqual(
    upper.sort(),
    Object.keys(problems)
      .map((code) => `/docs/errors#${code}`)
      .sort(),
  )
})

test('the guides name every route', () => {
  const missing = routes
    .map(([method, path]) => `${method} ${path}`)
    .filter((route) => !all.includes(`<code>${route}</code>`))
  assert.deepEqual(missing, [])
})

describe('the example problems of the guides have the texts of their codes', () => {
  for (const { slug } of guides) {
    const blocks = readCodeBlocks(readFileSync(`src/docs/guides/${slug}.md`, 'utf8'))
    const examples = blocks.flatMap(({ code }) => /\{\s*"type":\s?"\/docs\/errors#[^]*\}/.exec(code)?.[0] ?? [])
    for (const example of examples) {
      const problem = JSON.parse(example) as ExampleProblem
      test(`${slug}: ${problem.code}`, () => {
        const [status, title] = problems[problem.code]
        const detail = problem.errors?.map(({ name, message }) => `${name}: ${message}`).join('; ')
        assert.deepEqual(
          { status: problem.status, title: problem.title, detail: problem.detail },
          { status, title, detail: detail ?? entries[problem.code].detail },
        )
      })
    }
  }
})

describe('a guide', () => {
  const compile = (article: string) => compileGuide(`# Title\n\nSummary.\n\n${article}`)

  test('is compiled into its title, its summary, its sections and HTML', () => {
    assert.deepEqual(compile('## First & last\n\nSee [keys](keys.md#scope).\n\n```sh\ncurl "$a&b" # <x>\n```'), {
      title: 'Title',
      summary: 'Summary.',
      sections: [{ id: 'first--last', title: 'First &amp; last' }],
      article:
        '<h2 id="first--last"><a href="#first--last">First &amp; last</a></h2>\n' +
        '<p>See <a href="keys#scope">keys</a>.</p>\n' +
        '<pre tabindex="0"><code>curl <span class="string">"$a&amp;b"</span> <span class="comment"># &lt;x&gt;</span></code></pre>\n',
    })
  })

  // prettier-ignore
  const refused: [claim: string, markdown: string, message: RegExp][] = [
    ['without a title',           'Text.',                                   /begins with its title/],
    ['with HTML',                 '# T\n\nS.\n\nA <b>word</b>.',             /contains HTML: <b>/],
    ['with an unknown link',      '# T\n\nS.\n\n[x](../../README.md)',       /links to \.\.\/\.\.\/README\.md/],
    ['with two equal headings',   '# T\n\nS.\n\n## A\n\n## A',              /duplicate heading: A/],
  ]
  for (const [claim, markdown, message] of refused) {
    test(`${claim} is refused`, () => assert.throws(() => compileGuide(markdown), message))
  }
})

describe('the retry sample of the guide to errors', () => {
  const blocks = readCodeBlocks(readFileSync('src/docs/guides/errors.md', 'utf8'))
  const { code } = blocks.find(({ code }) => code.includes('async function send('))!
  const send = new Function(`${code}; return send`)() as (url: string, options?: RequestInit) => Promise<unknown>
  const withKey = { 'idempotency-key': 'order-4711' }

  // prettier-ignore
  const cases: [claim: string, first: 'nothing' | number, options: RequestInit, asked: number][] = [
    ['retries a read',                         'nothing', {},                                    2],
    ['retries a write with an Idempotency-Key',      'nothing', { method: 'POST', headers: withKey },  2],
    ['does not retry a write without one after a lost response', 'nothing', { method: 'POST' },                    1],
    ['does not retry such a write after 503',                503,       { method: 'POST' },                    1],
    ['retries a write after 429',  429,       { method: 'POST' },                    2],
    ['does not retry after 404',   404,       {},                                    1],
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
