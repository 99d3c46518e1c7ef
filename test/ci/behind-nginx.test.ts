// The service behind an nginx that strips a prefix: every link of the documentation and of the API reaches its target.
// Needs nginx and Chromium: npm test -- --alone test/ci/behind-nginx.test.ts

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { guides } from '../../src/docs/guides.ts'
import { rendererPath } from '../../src/docs/renderer.ts'
import { pairs } from '../support/certificates.ts'
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { insertData, web } from '../support/data.ts'
import { idsOf, linksOf } from '../support/html.ts'
import { freePort } from '../support/server.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { api, issueKey, startArtifact } from '../support/workgate.ts'
import { openBrowser, openPage } from './browser.ts'
import { linkTo, sectionOf } from './documentation.ts'

const database = await suiteDatabase(insertData)
const key = await issueKey(database.sql, 'proxied')

async function startService(environment: Record<string, string>): Promise<string> {
  const service = await startArtifact({ DATABASE_URL: database.url, ...environment })
  atEnd(() => service.close())
  return service.url
}

interface Site {
  /** The address of the service for its clients. */
  base: string
  /** The same at nginx, if the name does not resolve. */
  reach: string
}

const [tlsPort, reportingPort, silentPort, plainPort] = [await freePort(), await freePort(), await freePort(), await freePort()] // prettier-ignore
const elsewhere = 'https://example.org/workgate'
const plain = `http://127.0.0.1:${plainPort}/workgate`
const sites = {
  'the nginx of the guide, over TLS': site(`https://127.0.0.1:${tlsPort}/workgate`),
  'a proxy that reports HTTPS and another host': site(elsewhere, reportingPort),
  'a proxy that reports nothing, with PUBLIC_URL': site(elsewhere, silentPort),
} satisfies Record<string, Site>
const withoutAddress = { 'a proxy that reports nothing, without a setting': site(plain) }

function site(base: string, port?: number): Site {
  return { base, reach: port === undefined ? base : `http://127.0.0.1:${port}/workgate` }
}

const trusting = await startService({ TRUST_PROXY: '1' })
const configured = await startService({ PUBLIC_URL: elsewhere })
const unconfigured = await startService({})
await startNginx()

/** The first block is the example of the guide, with only its addresses and files replaced. */
async function startNginx() {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-nginx-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  await writeFile(join(folder, 'cert.pem'), pairs.first.cert)
  await writeFile(join(folder, 'key.pem'), pairs.first.key)
  const chapter = readChapter(readFileSync('src/docs/guides/network.md', 'utf8'), '### nginx')
  let example = readCodeBlocks(chapter)[0]!.code
  for (const [printed, used] of [
    ['listen 443 ssl', `listen 127.0.0.1:${tlsPort} ssl`],
    ['/etc/ssl/example.org.pem', join(folder, 'cert.pem')],
    ['/etc/ssl/example.org.key', join(folder, 'key.pem')],
    ['http://127.0.0.1:8080/', `${trusting}/`],
  ] as const) {
    assert.ok(example.includes(printed), printed)
    example = example.replace(printed, used)
  }
  const server = (port: number | undefined, target: string, ...headers: string[]) =>
    `server { listen 127.0.0.1:${port}; location /workgate/ { proxy_pass ${target}/; ${headers.map((header) => `proxy_set_header ${header};`).join(' ')} } }`
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;
    events {}
    http { access_log off; ${paths.join(' ')}
      ${example}
      ${server(reportingPort, trusting, 'X-Forwarded-Proto https', 'X-Forwarded-Host example.org', 'X-Forwarded-Prefix /workgate')}
      ${server(silentPort, configured)}
      ${server(plainPort, unconfigured)}
    }`
  await writeFile(join(folder, 'nginx.conf'), config)
  const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(nginx, 'exit')
  atEnd(() => nginx.kill('SIGTERM') && ended)
  // It logs this after it has opened its ports.
  let log = ''
  await new Promise<void>((resolve, reject) => {
    nginx.stderr.on('data', (bytes: Buffer) => (log += bytes).includes('using the') && resolve())
    void ended.then(() => reject(new Error(`nginx ended: ${log}`)))
  })
}

interface Received {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** Sends a request to a URL as a client of the site sees it. Follows no redirect. */
async function send({ base, reach }: Site, url: string, method = 'GET', body?: object): Promise<Received> {
  assert.ok(url === base || url.startsWith(`${base}/`), `${url} is not below ${base}`)
  const request = url.startsWith('https:') && base === reach ? requestHttps : requestHttp
  const sent = request(reach + url.slice(base.length), {
    method,
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${key}`, connection: 'close', 'content-type': 'application/json' },
  }).end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await response.setEncoding('utf8').toArray()).join('')
  return { status: response.statusCode!, headers: response.headers, text }
}

/** All links and assets of a document, as they are written. */
function linksIn(type: string, text: string): string[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, link]) => link!)
  if (type.startsWith('text/html')) return [...linksOf(text), ...all(/\ssrc="([^"]*)"/g)]
  if (type.startsWith('text/css')) return all(/url\(["']?([^"')]+)/g).filter((link) => !/^(data:|#)/.test(link))
  if (type.startsWith('text/javascript')) return all(/(?:from|import\(?)\s*["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g)
  return type === 'application/json' ? all(/\]\(([^)\\]+)\)/g) : []
}

/** Follows all links and redirects from the start page. Returns the ids on each page. */
async function crawl(site: Site, isJsonFollowed: boolean): Promise<Map<string, string[]>> {
  const found = new Set(['/', '/docs/', '/favicon.ico', '/openapi.json', '/docs/reference.js'].map((path) => site.base + path)) // prettier-ignore
  const pages = new Map<string, string[]>()
  const anchors: [url: string, id: string][] = []
  for (const url of found) {
    const { status, headers, text } = await send(site, url)
    const type = headers['content-type'] ?? ''
    const follows = isJsonFollowed || type !== 'application/json'
    const links = status === 302 ? [headers.location!] : follows ? linksIn(type, text) : []
    assert.ok(status === 200 || status === 302, `${status} ${url}`)
    pages.set(url, idsOf(text))
    for (const link of links) {
      const target = new URL(link, url)
      if (target.origin !== new URL(site.base).origin) continue
      const id = target.hash.slice(1)
      target.hash = ''
      found.add(target.href)
      if (id) anchors.push([target.href, id])
    }
  }
  assert.ok(anchors.length > 500, `${anchors.length} anchors`)
  const missing = anchors.filter(([url, id]) => !pages.get(url)!.includes(id))
  assert.deepEqual(missing, [])
  return pages
}

for (const [claim, site] of Object.entries({ ...sites, ...withoutAddress })) {
  const hasAddress = claim in sites

  describe(`behind ${claim}`, () => {
    test('every redirect, link and asset of every page reaches a page below the prefix', async () => {
      const pages = await crawl(site, hasAddress)
      const expected = [
        ...guides.map(({ slug }) => `/docs/${slug}`),
        '/',
        '/explorer',
        '/explorer.js',
        '/explorer.css',
        '/docs',
        '/openapi.json',
        ...['style.css', 'favicon.svg', 'reference.css', 'reference.js'].map((name) => `/docs/${name}`),
        `${rendererPath}standalone.esm.js`,
      ]
      assert.deepEqual(
        expected.filter((path) => !pages.has(site.base + path)),
        [],
      )
    })

    test('the links of a list reach all of its pages', async () => {
      const seen: string[] = []
      let next: string | undefined = `${site.base}${api}/projects/${web}/users?limit=1&sort=name`
      while (next) {
        const { status, headers, text }: Received = await send(site, next)
        assert.equal(status, 200)
        seen.push(...JSON.parse(text).data.map(({ name }: { name: string }) => name))
        const [, link] = /^<(.+)>; rel="next"$/.exec(String(headers['link'])) ?? []
        assert.equal(link !== undefined, JSON.parse(text).meta.hasMore)
        if (hasAddress) assert.equal(link?.startsWith(`${site.base}/`) ?? true, true)
        next = link && new URL(link, next).href
      }
      assert.deepEqual(seen, ['Ada Lovelace', 'grace Hopper', 'Zoë Q', 'Ångström, Anders'])
    })

    if (!hasAddress) return
    test('Location, problem types and servers reach their objects', async () => {
      const { text } = await send(site, `${site.base}/openapi.json`)
      const document = JSON.parse(text)
      const server: string = document.servers[0].url
      assert.equal(server, site.base + api)
      assert.equal((await send(site, `${server}/key`)).status, 200)
      assert.equal((await send(site, `${document.paths['/healthz'].servers[0].url}/healthz`)).status, 200)

      const project = await send(site, `${server}/projects`, 'POST', { name: claim })
      const task = await send(site, `${project.headers.location}/tasks`, 'POST', { title: claim })
      for (const { status, headers, text } of [project, task]) {
        assert.equal(status, 201)
        const created = await send(site, headers.location!)
        assert.deepEqual([created.status, JSON.parse(created.text).data.id], [200, JSON.parse(text).data.id])
      }

      for (const path of ['/nothing', `${api}/nothing`, `${api}/projects?a=b`]) {
        const { type, code } = JSON.parse((await send(site, site.base + path)).text)
        const [page, id] = type.split('#')
        const explained = await send(site, page)
        assert.deepEqual([explained.status, id], [200, code])
        assert.ok(idsOf(explained.text).includes(code), code)
      }
    })
  })
}

test('nginx redirects the prefix without a slash to the start page', async () => {
  const site = sites['the nginx of the guide, over TLS']
  const { status, headers } = await send(site, site.base)
  assert.deepEqual([status, headers.location], [301, `${site.base}/`])
})

describe('in a browser, the reference', () => {
  const visited = {
    'a proxy that reports nothing, with PUBLIC_URL': sites['a proxy that reports nothing, with PUBLIC_URL'],
    ...withoutAddress,
  }
  for (const [claim, { reach }] of Object.entries(visited)) {
    test(`sends requests to where it was loaded from, and links there, behind ${claim}`, async (t) => {
      const browser = await openBrowser()
      t.after(() => browser.close())
      const { page, requested, complaints } = await openPage(browser, `${reach}/docs`)
      for (const [id, path] of [
        ['getKey', `${api}/key`],
        ['getHealth', '/healthz'],
      ] as const) {
        const operation = { id, method: 'GET', path: '', summary: '' }
        await linkTo(page, operation).click()
        await sectionOf(page, operation).getByRole('button', { name: 'Test Request' }).click()
        const dialog = page.getByRole('dialog', { name: 'API Client' })
        if (id === 'getKey') await dialog.getByRole('region', { name: 'Authentication' }).getByRole('textbox').fill(key)
        const sent = page.waitForRequest((request) => request.url().endsWith(path))
        await dialog.getByRole('button', { name: 'Send get request' }).click()
        assert.equal((await sent).url(), reach + path)
        await dialog.getByText('200 OK').waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
      }
      const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href)) // prettier-ignore
      const toPages = links.filter((link) => link.startsWith(`${reach}/docs/`))
      assert.ok(toPages.length > guides.length, `${toPages.length} links`)
      const used = [...links, ...requested].filter((url) => !/^(data|blob):/.test(url))
      const outside = used.filter((url) => !url.startsWith(`${reach}/`))
      // Links of the renderer itself.
      assert.deepEqual(outside.filter((url) => !/^https:\/\/(www\.scalar\.com|developer\.mozilla\.org)\//.test(url)), []) // prettier-ignore
      assert.deepEqual(complaints.filter((complaint) => complaint !== 'policy: script-src eval'), []) // prettier-ignore
    })
  }
})
