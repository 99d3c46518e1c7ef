// The public pages: the reference, the guides and the OpenAPI document. They need no key and no database.

import type { Headers } from '../api/responses/response.ts'
import type { FindPublicRoute, PublicRoute } from '../api/public-routes.ts'
import { createRepresentation, type Representation } from '../api/responses/representation.ts'
import favicon from './favicon.svg'
import { guidePage, guides, guideStyle } from './guides.ts'
import { openApi } from './openapi.ts'
import { referencePage, referenceScript, referenceStyle } from './reference.ts'
import { rendererFiles, rendererPath } from './renderer.ts'

export function createSite(): FindPublicRoute {
  const pages = new Map<string, PublicRoute>([
    ['/', redirect('/', '/docs')],
    ['/docs/', redirect('/docs/', '/docs')],
    ['/favicon.ico', redirect('/favicon.ico', '/docs/favicon.svg')],
    ['/docs', page('/docs', () => htmlOf(referencePage(rendererPath), referencePolicy))],
    ['/docs/reference.js', page('/docs/reference.js', () => textOf('text/javascript', referenceScript))],
    ['/docs/reference.css', page('/docs/reference.css', () => textOf('text/css', referenceStyle))],
    ['/docs/style.css', page('/docs/style.css', () => textOf('text/css', guideStyle))],
    ['/docs/favicon.svg', page('/docs/favicon.svg', () => fileOf('image/svg+xml', favicon, lasting))],
    ['/openapi.json', page('/openapi.json', openApiDocument)],
    ...guides.map((guide): [string, PublicRoute] => [
      `/docs/${guide.slug}`,
      page('/docs/:guide', () => htmlOf(guidePage(guide), guidePolicy)),
    ]),
  ])
  const ofRenderer = onceMade(rendererPages)

  return async (path) => {
    if (!path.startsWith(rendererPath)) return pages.get(path)
    return (await ofRenderer()).get(path)
  }
}

async function rendererPages(): Promise<ReadonlyMap<string, PublicRoute>> {
  const files = [...(await rendererFiles())]
  return new Map(files.map(([path, make]) => [path, page('/docs/renderer/:version/:file', make)]))
}

/** What is shown is made when it is first asked for, and each of its forms as well. */
function page(route: string, make: () => Representation | Promise<Representation>): PublicRoute {
  const made = onceMade(make)
  return { route, get: async (headers) => (await made()).respond(headers) }
}

/** What failed is made again for the next who asks. */
function onceMade<Made>(make: () => Made | Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    if (made) return made
    made = Promise.resolve(make())
    made.catch(() => (made = undefined))
    return made
  }
}

function redirect(route: string, location: string): PublicRoute {
  return { route, get: async () => ({ status: 302, headers: { location, ...checked }, body: '' }) }
}

// Another version of the service may show something else at any time.
const checked = { 'cache-control': 'public, no-cache' }

// The page asks for its icon several times.
const lasting = { 'cache-control': 'public, max-age=3600' }

const fileOf = (type: string, body: string, headers: Headers) =>
  createRepresentation({ status: 200, headers: { 'content-type': type, ...headers }, body })

const textOf = (type: string, body: string) => fileOf(`${type}; charset=utf-8`, body, checked)

const htmlOf = (body: string, policy: string) =>
  fileOf('text/html; charset=utf-8', body, {
    ...checked,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })

/** Public as it is, so pages of any origin may read it. */
const openApiDocument = () =>
  fileOf('application/json', JSON.stringify(openApi()), { ...checked, 'access-control-allow-origin': '*' })

const closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// The renderer makes style elements and attributes, so styles may be inline. Scripts are files of ours and nothing else.
const referencePolicy = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; ${closed}`
const guidePolicy = `default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self' data:; ${closed}`
