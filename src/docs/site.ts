// Serves the public pages: the explorer, the reference, the guides and the OpenAPI document. They need no key and no
// database.

import * as explorer from 'workgate:explorer'
import type { FindPublicRoute, Headers, PublicRoute } from '../api/responses/response.ts'
import { createRepresentation, type Representation } from '../api/responses/representation.ts'
import findScript from './browser/find.client.js'
import guideScript from './browser/guide.client.js'
import explorerHtml from '../explorer/index.html'
import headerScript from './browser/header.client.js'
import preferencesScript from './browser/preferences.client.js'
import searchScript from './browser/search.client.js'
import themeScript from './browser/theme.client.js'
import favicon from './favicon.svg'
import alerts from './monitoring/workgate-alerts.yaml'
import dashboard from './monitoring/workgate-dashboard.json' with { type: 'json' }
import { renderGuidePage, guides, guideStyle } from './guides.ts'
import { openApi, createOpenApiPages } from './openapi.ts'
import { loadRendererFiles, rendererPath } from './renderer.ts'
import { createSearchIndex } from './search-index.ts'
import { renderHeader, renderScripts } from './header.ts'
import headerStyle from './header.css'
import referenceScript from './reference.client.js'
import referenceStyle from './reference.css'
import referenceHtml from './reference.html'
import tokens from './tokens.css'

const redirects = { '/docs/': '/docs', '/favicon.ico': '/docs/favicon.svg' }

/** Functions that create the files, by path. */
const files: Record<string, () => Representation> = {
  '/': () => createHtmlPage(renderExplorer(), strictPolicy),
  '/explorer': () => createHtmlPage(renderExplorer(), strictPolicy),
  '/explorer.js': () =>
    createTextFile('text/javascript', explorer.script, Buffer.from(explorer.brotliScript, 'base64')),
  '/explorer.css': () => createTextFile('text/css', tokens + headerStyle + explorer.style),
  '/docs': () => createHtmlPage(renderReferencePage(), referencePolicy),
  '/docs/preferences.js': () => createTextFile('text/javascript', preferencesScript),
  '/docs/theme.js': () => createTextFile('text/javascript', themeScript),
  '/docs/header.js': () => createTextFile('text/javascript', headerScript),
  '/docs/guide.js': () => createTextFile('text/javascript', guideScript),
  '/docs/search.js': () => createTextFile('text/javascript', searchScript),
  '/docs/find.js': () => createTextFile('text/javascript', findScript),
  '/docs/reference.js': () => createTextFile('text/javascript', referenceScript),
  '/docs/reference.css': () => createTextFile('text/css', headerStyle + referenceStyle),
  '/docs/style.css': () => createTextFile('text/css', guideStyle),
  '/docs/favicon.svg': () => createFile('image/svg+xml', favicon, cachedForAnHour),
  '/docs/workgate-alerts.yaml': () => createFile('application/yaml', alerts, revalidated),
  '/docs/workgate-dashboard.json': () =>
    createFile('application/json', JSON.stringify(dashboard, null, 2), revalidated),
  '/docs/search.json': () =>
    createFile('application/json', JSON.stringify(createSearchIndex(guides, openApi())), revalidated),
}

export function createSite(): FindPublicRoute {
  const openApiPage = createOpenApiPages(openApiHeaders)
  const pages = new Map<string, PublicRoute>([
    ...Object.entries(redirects).map(([path, target]) => [path, redirect(path, target)] as const),
    ...Object.entries(files).map(([path, create]) => [path, page(path, create)] as const),
    ...guides.map((guide) => {
      const create = () => createHtmlPage(renderGuidePage(guide), strictPolicy)
      return [`/docs/${guide.slug}`, page('/docs/:guide', create)] as const
    }),
    ['/openapi.json', { route: '/openapi.json', get: async (headers, url) => openApiPage(url).respond(headers) }],
  ])
  const getRendererPages = createOnce(createRendererPages)

  return async (path) => {
    if (!path.startsWith(rendererPath)) return pages.get(path)
    return (await getRendererPages()).get(path)
  }
}

async function createRendererPages() {
  const rendererFiles = await loadRendererFiles()
  return new Map(rendererFiles.map(([path, create]) => [path, page('/docs/renderer/:version/:file', create)]))
}

/** The page and each of its encodings are created on first use. */
function page(route: string, create: () => Representation | Promise<Representation>): PublicRoute {
  const getRepresentation = createOnce(create)
  return { route, get: async (headers) => (await getRepresentation()).respond(headers) }
}

/** Creates the value on the first call. After a failure, the next call tries again. */
function createOnce<Value>(create: () => Value | Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined
  return () => {
    if (created) return created
    created = Promise.resolve(create())
    created.catch(() => (created = undefined))
    return created
  }
}

/** Without a public URL, the location is relative, so that it is right behind any proxy. */
function redirect(route: string, path: string): PublicRoute {
  const relative = `${'../'.repeat(route.split('/').length - 2)}${path.slice(1)}`
  return {
    route,
    async get(_, publicUrl) {
      const location = publicUrl === '' ? relative : publicUrl + path
      return { status: 302, headers: { location, ...revalidated }, body: '' }
    },
  }
}

// Clients must revalidate because the next version of the service may have different content.
const revalidated = { 'cache-control': 'public, no-cache' }

// Browsers request the icon several times for each page.
const cachedForAnHour = { 'cache-control': 'public, max-age=3600' }

const createFile = (type: string, body: string, headers: Headers, brotli?: Uint8Array) =>
  createRepresentation({ status: 200, headers: { 'content-type': type, ...headers }, body }, undefined, brotli)

const createTextFile = (type: string, body: string, brotli?: Uint8Array) =>
  createFile(`${type}; charset=utf-8`, body, revalidated, brotli)

const createHtmlPage = (body: string, policy: string) =>
  createFile('text/html; charset=utf-8', body, {
    ...revalidated,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })

/** The document is public, so pages of any origin may read it. */
const openApiHeaders = { 'content-type': 'application/json', ...revalidated, 'access-control-allow-origin': '*' }

const commonPolicy = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// The renderer creates style elements and attributes, so inline styles are allowed. Inline scripts are not.
const referencePolicy = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; ${commonPolicy}`
const strictPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ${commonPolicy}`

function renderReferencePage(): string {
  return referenceHtml
    .replace('{{renderer}}', rendererPath.slice(1))
    .replace('{{scripts}}', renderScripts('docs/', 'header', 'reference'))
    .replace('{{header}}', renderHeader('Reference', '', 'reference'))
}

function renderExplorer(): string {
  return explorerHtml
    .replace('{{scripts}}', renderScripts('docs/'))
    .replace('{{header}}', renderHeader('Explorer', '', 'explorer'))
}
