// Tests the pages outside the API's path, which need no key.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { guides } from '../../src/docs/guides.ts'
import { rendererPath } from '../../src/docs/renderer.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { api } from '../support/workgate.ts'

const { workgate } = await contractSuite()

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const checked = 'public, no-cache'
const anHour = 'public, max-age=3600'
const forever = 'public, max-age=31536000, immutable'

// prettier-ignore
const pages: [path: string, route: string, type: string, caching: string][] = [
  ['/',                                  '/',                             html,                         checked],
  ['/explorer',                          '/explorer',                     html,                         checked],
  ['/explorer.js',                       '/explorer.js',                  script,                       checked],
  ['/explorer.css',                      '/explorer.css',                 css,                          checked],
  ['/docs',                              '/docs',                         html,                         checked],
  ['/docs/preferences.js',               '/docs/preferences.js',          script,                       checked],
  ['/docs/theme.js',                     '/docs/theme.js',                script,                       checked],
  ['/docs/header.js',                    '/docs/header.js',               script,                       checked],
  ['/docs/guide.js',                     '/docs/guide.js',                script,                       checked],
  ['/docs/search.js',                    '/docs/search.js',               script,                       checked],
  ['/docs/find.js',                      '/docs/find.js',                 script,                       checked],
  ['/docs/search.json',                  '/docs/search.json',             'application/json',           checked],
  ['/docs/workgate-alerts.yaml',         '/docs/workgate-alerts.yaml',    'application/yaml',           checked],
  ['/docs/workgate-dashboard.json',      '/docs/workgate-dashboard.json', 'application/json',           checked],
  ['/docs/reference.js',                 '/docs/reference.js',            script,                       checked],
  ['/docs/reference.css',                '/docs/reference.css',           css,                          checked],
  ['/docs/style.css',                    '/docs/style.css',               css,                          checked],
  ['/docs/favicon.svg',                  '/docs/favicon.svg',             'image/svg+xml',              anHour],
  ['/openapi.json',                      '/openapi.json',                 'application/json',           checked],
  [`${rendererPath}standalone.esm.js`,   '/docs/renderer/:version/:file', script,                       forever],
  [`${rendererPath}LICENSE`,             '/docs/renderer/:version/:file', 'text/plain; charset=utf-8',  forever],
  ...guides.map(({ slug }) => [`/docs/${slug}`, '/docs/:guide', html, checked] as [string, string, string, string]),
]

// The first test, because the log contains only some of many requests without a key.
test('the log contains the route of each page', async () => {
  for (const [path, route] of pages) {
    const { headers } = await workgate.send(`GET /${path}`)
    const line = await workgate.logged(headers['x-request-id'])
    assert.deepEqual([line['route'], line['status']], [route, 200])
  }
})

for (const [path, , type, caching] of pages) {
  test(`${path} needs no key, is compressed, and gets 304 if the client has it`, async () => {
    const tags = new Set<string>()
    const first = await workgate.send(`GET /${path}`)
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding }
      const reply = await workgate.send(`GET /${path}`, { headers })
      const { etag } = reply.headers as { etag: string }
      const compressed = first.text.length > 1024 && encoding !== 'identity'
      assert.deepEqual(
        [reply.status, reply.headers['content-type'], reply.headers['cache-control'], reply.headers['vary']],
        [200, type, caching, 'Accept-Encoding'],
      )
      assert.equal(reply.headers['x-content-type-options'], 'nosniff')
      assert.equal(reply.headers['x-observed-at'], undefined)
      assert.equal(reply.headers['content-encoding'], compressed ? encoding : undefined)
      assert.ok(reply.text === first.text, 'every encoding has the same text')
      assert.match(etag, /^"[!#-~]+"$/)
      for (const method of ['GET', 'HEAD']) {
        const again = await workgate.send(`${method} /${path}`, { headers: { ...headers, 'if-none-match': etag } })
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag])
        assert.equal(again.headers['cache-control'], caching)
      }
      tags.add(etag)
    }
    assert.equal(tags.size, first.text.length > 1024 ? 3 : 1)
  })
}

for (const [path, to] of [
  ['/docs/', '../docs'],
  ['/favicon.ico', 'docs/favicon.svg'],
]) {
  test(`${path} redirects to ${to}`, async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await workgate.send(`${method} /${path}`)
      assert.deepEqual([status, headers['location'], headers['cache-control'], text], [302, to, checked, ''])
    }
  })
}

test('all pages accept only GET, HEAD and OPTIONS', async () => {
  for (const path of ['/favicon.ico', '/healthz', ...pages.map(([path]) => path)]) {
    const options = await workgate.send(`OPTIONS /${path}`)
    assert.deepEqual([options.status, options.headers['allow'], options.text], [204, 'GET, HEAD, OPTIONS', ''], path)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers, body } = await workgate.send(`${method} /${path}`)
      assert.deepEqual([status, headers['allow'], body.code], [405, 'GET, HEAD, OPTIONS', 'METHOD_NOT_ALLOWED'], path)
    }
  }
})

const unknownPaths = [
  '/docs/nothing',
  '/docs/index.html',
  '/openapi.yaml',
  '/docs/renderer/',
  '/docs/renderer/0.0.0/standalone.esm.js',
  rendererPath,
  `${rendererPath}nothing.js`,
  `${rendererPath}chunks/`,
  `${rendererPath}../../../package.json`,
  `${rendererPath}__proto__`,
  `${rendererPath}constructor`,
]
for (const path of unknownPaths) {
  test(`${path} gets 404 as a problem`, async () => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, body, headers } = await workgate.send(`${method} /${path}`)
      assert.deepEqual([status, body.code, body.type], [404, 'NOT_FOUND', '/docs/errors#NOT_FOUND'])
      assert.equal(headers['cache-control'], 'no-store')
    }
  })
}

describe('pages', () => {
  const directives = async (path: string) => {
    const { headers } = await workgate.send(`GET /${path}`)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    return new Map(headers['content-security-policy']!.split('; ').map((part) => [part.split(' ')[0], part]))
  }

  const strict = ['/', '/explorer', ...guides.map(({ slug }) => `/docs/${slug}`)]

  test('cannot load anything from another host, and cannot be framed', async () => {
    for (const path of ['/docs', ...strict]) {
      const policy = await directives(path)
      assert.equal(policy.get('default-src'), "default-src 'none'")
      assert.equal(policy.get('frame-ancestors'), "frame-ancestors 'none'")
      assert.doesNotMatch([...policy.values()].join(), /https?:|\*|unsafe-eval/)
    }
  })

  test('run only script files of the service itself', async () => {
    for (const path of ['/docs', ...strict]) {
      assert.equal((await directives(path)).get('script-src'), "script-src 'self'")
      const { text } = await workgate.send(`GET /${path}`)
      const scripts = [...text.matchAll(/<script\b[^>]*>[^<]*/g)].map(([tag]) => tag)
      assert.ok(scripts.length >= 3)
      for (const tag of scripts) {
        const [, source] = /^<script(?: type="module")? src="([^"]+)">$/.exec(tag)!
        assert.equal((await workgate.send(`GET /${new URL(source!, `http://workgate${path}`).pathname}`)).status, 200)
      }
    }
  })

  test('allow no inline styles, except the reference', async () => {
    for (const path of strict) assert.equal((await directives(path)).get('style-src'), "style-src 'self'", path)
  })

  test('the reference links to the guides and, without scripts, to the OpenAPI document', async () => {
    const { text } = await workgate.send('GET //docs')
    const { body } = await workgate.send('GET //openapi.json')
    assert.ok(text.includes(`href="docs/${guides[0]!.slug}"`))
    for (const { slug } of guides) assert.ok(body.info.description.includes(`(/docs/${slug})`), slug)
    assert.match(text, /<noscript>[^]*href="openapi.json"[^]*<\/noscript>/)
    assert.doesNotMatch(text, /\{\{/)
  })

  test('contain no broken links to files', async () => {
    for (const page of ['/', '/explorer', '/docs']) {
      const { text } = await workgate.send(`GET /${page}`)
      const files = [...text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, path]) => `/${path}`)
      assert.equal(
        files.some((path) => path.startsWith(rendererPath)),
        page === '/docs',
      )
      for (const path of files) assert.equal((await workgate.send(`GET /${path}`)).status, 200, path)
    }
  })
})

test('the renderer is complete: every file that it imports exists', async () => {
  const seen = new Set<string>(['standalone.esm.js'])
  for (const name of seen) {
    const { status, text } = await workgate.send(`GET /${rendererPath}${name}`)
    assert.equal(status, 200, name)
    const imports = text.matchAll(/(?:from|import\(?)\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g)
    for (const [, path] of imports) seen.add(new URL(path!, `http://x/${name}`).pathname.slice(1))
  }
  assert.ok(seen.size > 10, `${seen.size} files`)
})

test('the license of the renderer is included', async () => {
  const { text } = await workgate.send(`GET /${rendererPath}LICENSE`)
  assert.match(text, /MIT License[^]*Copyright \(c\) 2023-present Scalar/)
})

test('/openapi.json can be read by pages of any origin, and contains the paths of the API', async () => {
  const { body, headers } = await workgate.send('GET //openapi.json', { headers: { origin: 'https://example.org' } })
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(body.servers[0].url, api)
  assert.ok(Object.keys(body.paths).includes('/projects/{projectId}/tasks'))
})
