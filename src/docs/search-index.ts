// Creates the index of the search: an entry for each section of the guides and for each operation of the reference.

import type { Guide } from './guide-layout.ts'
import type { ApiDocument } from './openapi.ts'

export interface SearchEntry {
  /** The title of the guide, or "Reference". */
  page: string
  title: string
  /** Relative to /docs/. */
  url: string
  text: string
}

interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  parameters?: readonly { name?: string; $ref?: string; description?: string }[]
}

export function createSearchIndex(guides: readonly Guide[], document: ApiDocument): SearchEntry[] {
  return [...guides.flatMap(sectionsOf), ...operationsOf(document)]
}

/** The first entry of a guide is its beginning, up to the first heading. Its slug may contain another word for its subject. */
function sectionsOf({ slug, title, summary, article }: Guide): SearchEntry[] {
  const parts = article.split(/(?=<h[23] id=)/)
  const sections = parts.filter((part) => part.startsWith('<h'))
  const start = parts.length > sections.length ? parts[0]! : ''
  const guide = { page: 'Guide', title, url: slug, text: `${summary} ${textOf(start)} ${slug}`.trim() }
  return [guide, ...sections.map((section) => ({ page: title, ...entryOf(slug, section) }))]
}

function entryOf(slug: string, section: string): Omit<SearchEntry, 'page'> {
  const [, id, heading, rest] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>([^]*)$/.exec(section)!
  return { title: textOf(heading!), url: `${slug}#${id}`, text: textOf(proseBeforeCode(rest!)) }
}

/** Moves code to the end, because excerpts with prose say more. */
function proseBeforeCode(html: string): string {
  const code = /<pre [^]*?<\/pre>/g
  return [html.replace(code, ' '), ...(html.match(code) ?? [])].join(' ')
}

function textOf(html: string): string {
  return html
    .replace(/<svg [^]*?<desc [^>]*>([^]*?)<\/desc>[^]*?<\/svg>/g, '$1')
    .replace(/<div class="languages"[^]*?<\/div>|<p class="language">.*?<\/p>/g, '')
    .replace(/<\/(p|li|td|th|tr|h\d|pre|div)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
}

const methods = ['get', 'post']

function operationsOf({ paths, components }: ApiDocument): SearchEntry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const { operationId, tags, summary, description = '', parameters = [] } = item[method] as Operation
        const names = parameters.map(({ name, $ref }) => name ?? components.parameters[$ref!.split('/').at(-1)!]!.name)
        const request = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
        return {
          page: 'Reference',
          title: summary,
          url: `../docs#tag/${tags[0]!.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
          text: `${request} ${operationId} ${plainText(description)} ${names.join(' ')}`.trim(),
        }
      }),
  )
}

/** Removes the links and marks of Markdown. */
function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|^- /gm, '')
    .replace(/\s+/g, ' ')
}
