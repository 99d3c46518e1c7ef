// Links in responses begin with PUBLIC_URL, or with what trusted proxies report. No forwarded header becomes part of a
// response to another request.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { web } from '../support/data.ts'
import { api, openWorkgate, type Reply, type Workgate } from '../support/workgate.ts'
import { post } from '../support/writes.ts'

const publicUrl = 'https://example.org/workgate'
const {
  workgate: behindProxy,
  key,
  issueKey,
} = await contractSuite({ data: 'basic', environment: { TRUST_PROXY: '1' } })
const configured = await openWorkgate({ TRUST_PROXY: '1', PUBLIC_URL: `${publicUrl}/` })
after(() => configured.close())
const direct = await openWorkgate()
after(() => direct.close())
const behindTwo = await openWorkgate({ TRUST_PROXY: '2' })
after(() => behindTwo.close())

type Headers = Record<string, string | string[]>
const forwarded = (proto: string | string[], host: string | string[], prefix: string | string[]): Headers => ({
  'x-forwarded-proto': proto,
  'x-forwarded-host': host,
  'x-forwarded-prefix': prefix,
})
const own = forwarded('https', 'example.org', '/workgate')
const evil = forwarded('http', 'evil.example.net:8443', '/stolen')
const isEvil = /evil|stolen/

/** The start of links in the response to a request with these headers. */
async function baseOf(service: Workgate, headers: Headers): Promise<string> {
  const { body } = await service.send('GET //nothing', { headers })
  assert.ok(body.type.endsWith('/docs/errors#NOT_FOUND'), body.type)
  return body.type.slice(0, -'/docs/errors#NOT_FOUND'.length)
}

describe('the start of links is', () => {
  const long = 'a'.repeat(256)
  // prettier-ignore
  const cases: [claim: string, service: Workgate, headers: Headers, base: string][] = [
    ['PUBLIC_URL without the slash at its end',      configured,  {},                                                  publicUrl],
    ['PUBLIC_URL, whatever proxies report',          configured,  evil,                                                publicUrl],
    ['nothing without TRUST_PROXY',                  direct,      own,                                                 ''],
    ['nothing if the proxy reports nothing',         behindProxy, {},                                                  ''],
    ['what the proxy reports',                       behindProxy, own,                                                 publicUrl],
    ['in lower case, except for its path',           behindProxy, forwarded('HTTPS', 'Example.ORG', '/Workgate'),      'https://example.org/Workgate'],
    ['without a slash at its end',                   behindProxy, forwarded('https', 'example.org', '/workgate/'),     publicUrl],
    ['without a prefix that is only a slash',        behindProxy, forwarded('http', 'example.org:8080', '/'),          'http://example.org:8080'],
    ['with an IPv6 address',                         behindProxy, forwarded('http', '[2001:db8::1]:8080', '/a/b-c.d~e_f'), 'http://[2001:db8::1]:8080/a/b-c.d~e_f'],
    ['only the prefix without a host',               behindProxy, { 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/workgate' }, '/workgate'],
    ['only the prefix without a scheme',             behindProxy, { 'x-forwarded-host': 'example.org', 'x-forwarded-prefix': '/workgate' }, '/workgate'],
    ['the last entry of one trusted proxy',          behindProxy, forwarded('http, https', 'evil.example.net, example.org', ['/stolen', '/workgate']), publicUrl],
    ['the last but one entry of two',                behindTwo,   forwarded('ftp, https, http', ['a', 'example.org', 'inner'], '/stolen,/workgate,/'), publicUrl],
    ['the only entry, if the second passes it on',   behindTwo,   own,                                                 publicUrl],
    // Invalid values are ignored.
    ['without another scheme',                       behindProxy, forwarded('ftp', 'example.org', '/workgate'),        '/workgate'],
    ['without a scheme with more text',              behindProxy, forwarded('https://a', 'example.org', '/workgate'),  '/workgate'],
    ...['', 'exa mple.org', 'a@b', 'a/b', 'a:b', 'a:99999', 'a:', '[::g]', '::1', 'a..b', 'a"', 'a>', 'ä', '1.2.3.999', 'a?b', 'a#b', 'a\\b', 'a%2fb', `${long}.org`].map(
      (host) => [`without the host "${host.slice(0, 12)}"`, behindProxy, forwarded('https', host, '/workgate'), '/workgate'] as [string, Workgate, Headers, string]),
    ...['workgate', '//evil.example.net', '/a//b', '/..', '/a/../b', '/./a', '/a b', '/a?b', '/a#b', '/a"b', '/a>b', '/a\\b', '/%2e%2e', '/ä', '/a;b', '/a)b', 'https://a', `/${long}`].map(
      (prefix) => [`without the prefix "${prefix.slice(0, 12)}"`, behindProxy, forwarded('https', 'example.org', prefix), 'https://example.org'] as [string, Workgate, Headers, string]),
  ]
  for (const [claim, service, headers, base] of cases) {
    test(claim, async () => assert.equal(await baseOf(service, headers), base))
  }
})

// prettier-ignore
const services: [claim: string, service: Workgate, headers: Headers, base: string][] = [
  ['with PUBLIC_URL',          configured,  evil, publicUrl],
  ['with forwarded headers',   behindProxy, own,  publicUrl],
  ['with a forwarded prefix',  behindProxy, { 'x-forwarded-prefix': '/workgate' }, '/workgate'],
  ['without TRUST_PROXY',      direct,      evil, ''],
]
for (const [claim, service, headers, base] of services) {
  describe(claim, () => {
    test('Location is the URL of the created object', async () => {
      const as = await service.issueKey(`creator ${claim}`)
      const project = await post(service, as, '/projects', { name: 'New' }, headers as Record<string, string>)
      const path = `/projects/${project.body.data.id}`
      assert.deepEqual([project.status, project.headers['location']], [201, `${base}${api}${path}`])
      const task = await post(service, as, `${path}/tasks`, { title: 'New' }, headers as Record<string, string>)
      assert.equal(task.headers['location'], `${base}${api}${path}/tasks/${task.body.data.id}`)
    })

    test('redirects are absolute if the address is known, and relative otherwise', async () => {
      const relative: Record<string, string> = { '/docs/': '../docs', '/favicon.ico': 'docs/favicon.svg' }
      for (const [path, to] of Object.entries(relative)) {
        const reply = await service.send(`GET /${path}`, { headers })
        const target = new URL(to, `http://workgate${path}`).pathname
        assert.deepEqual([reply.status, reply.headers['location']], [302, base === '' ? to : base + target])
      }
    })

    test('the OpenAPI document has the address in servers, links and examples', async () => {
      const { body, text } = await service.send('GET //openapi.json', { headers })
      assert.deepEqual(body.servers, [{ url: `${base}${api}` }])
      assert.deepEqual(body.paths['/healthz'].servers, [{ url: base || '/' }])
      assert.equal(body.components.examples.NOT_FOUND.value.type, `${base}/docs/errors#NOT_FOUND`)
      assert.ok(body.components.headers.Location.example.startsWith(`${base}${api}/projects/`))
      assert.ok(body.info.description.includes(`](${base}/docs/quick-start)`))
      // Everything that begins with a path of the service has the address before it.
      const bare = base && text.match(/(\]\(|")\/(docs|api|openapi\.json)\b.{0,30}/g)
      assert.deepEqual(bare || [], [])
      assert.doesNotMatch(text, isEvil)
    })
  })
}

describe('forwarded headers of one request', () => {
  const list = `/projects/${web}/users?limit=2`
  const get = (path: string, headers: Headers = {}, as = key) => behindProxy.send(`GET ${path}`, { key: as, headers })

  test('do not change the body and the ETag of a read, nor a cached response', async () => {
    const other = await issueKey('another')
    const stolen = await get(list, evil)
    assert.match(stolen.headers['link']!, isEvil)
    assert.doesNotMatch(stolen.text, isEvil)
    for (const reply of [await get(list), await get(list, own, other)]) {
      assert.deepEqual([reply.text, reply.headers['etag']], [stolen.text, stolen.headers['etag']])
      assert.doesNotMatch(JSON.stringify(reply), isEvil)
    }
    const same = await get(list, { ...own, 'if-none-match': stolen.headers['etag']! })
    assert.equal(same.status, 304)
    assert.ok(same.headers['link']!.startsWith(`<${publicUrl}${api}/projects/`))
  })

  test('do not reach another in the documentation', async () => {
    const etags = new Set<string | undefined>()
    const document = async (headers: Headers): Promise<Reply> => behindProxy.send('GET //openapi.json', { headers })
    for (const headers of [
      evil,
      own,
      {},
      evil,
      ...Array.from({ length: 9 }, (_, n) => forwarded('https', `h${n}`, '')),
      own,
    ]) {
      const reply = await document(headers)
      const host = headers['x-forwarded-host']
      assert.ok(reply.body.servers[0].url.includes(host ?? ''), String(host))
      if (headers !== evil) assert.doesNotMatch(reply.text, isEvil)
      const { etag } = reply.headers
      assert.equal((await document({ ...headers, 'if-none-match': etag! })).status, 304)
      etags.add(etag)
    }
    assert.equal(etags.size, 12)
    const stolen = (await document(evil)).headers['etag']!
    assert.equal((await document({ ...own, 'if-none-match': stolen })).status, 200)
  })

  test('are in no page', async () => {
    for (const path of ['/docs', '/docs/quick-start', '/docs/reference.js', '/docs/style.css']) {
      const reply = await behindProxy.send(`GET /${path}`, { headers: evil })
      assert.doesNotMatch(JSON.stringify([reply.headers, reply.text]), isEvil)
    }
  })

  test('do not reach the log', () => assert.doesNotMatch(JSON.stringify(behindProxy.logLines()), isEvil))
})
