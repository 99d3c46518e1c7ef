// Renders the page around the article of a guide. It has no scripts, no inline styles and nothing from other hosts, as
// the Content-Security-Policy of the guides allows none of these.

import { version } from '../runtime/version.ts'
import { renderHeader } from './header.ts'
import { highlightCode } from './highlight.ts'

export interface Guide {
  /** The guide is served at /docs/<slug>. */
  slug: string
  title: string
  /** One sentence. */
  summary: string
}

export function renderGuide(guide: Guide, article: string, guides: readonly Guide[]): string {
  const position = guides.findIndex(({ slug }) => slug === guide.slug)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(guide.summary)}">
<title>${escapeHtml(guide.title)} · Workgate</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${renderHeader('Guides', 'content')}
<div class="page">
<nav class="guides" aria-label="Guides">
<details>
<summary>All guides</summary>
<ul>
${guides.map((other) => `<li><a href="/docs/${other.slug}"${other === guides[position] ? ' aria-current="page"' : ''}>${escapeHtml(other.title)}</a></li>`).join('\n')}
</ul>
</details>
</nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(guide.title)}</h1>
<p class="summary">${escapeHtml(guide.summary)}</p>
${renderContents(article)}
<article>
${addLinksAndScrolling(article)}
</article>
<nav class="turn" aria-label="Previous and next">
${renderPagerLink('prev', 'Before', guides[position - 1])}${renderPagerLink('next', 'Next', guides[position + 1])}
</nav>
</main>
</div>
<footer class="foot">Workgate ${version} · <a href="/docs">Reference</a> · <a href="/openapi.json">OpenAPI document</a></footer>
</body>
</html>
`
}

const headingPattern = /<h2 id="([^"]+)">([\s\S]*?)<\/h2>/g

function renderContents(article: string): string {
  const items = [...article.matchAll(headingPattern)].map(
    ([, id, text]) => `<li><a href="#${id}">${text!.trim()}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page">
<details>
<summary>On this page</summary>
<ul>
${items.join('\n')}
</ul>
</details>
</nav>`
}

/** Turns headings into links to themselves, and makes code and tables scroll on their own, with the keyboard too. */
function addLinksAndScrolling(article: string): string {
  return article
    .replace(/<!--.*?-->\n?/g, '')
    .replace(/<(h[23]) id="([^"]+)">([\s\S]*?)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
    .replace(/<pre\b/g, '<pre tabindex="0"')
    .replace(
      /(<pre[^>]*><code>)([\s\S]*?)(?=<\/code>)/g,
      (_, start: string, code: string) => start + highlightCode(code),
    )
    .replace(/<table>/g, '<div class="wide" tabindex="0"><table>')
    .replace(/<\/table>/g, '</table></div>')
}

function renderPagerLink(relation: 'prev' | 'next', label: string, guide: Guide | undefined): string {
  if (!guide) return ''
  return `<a rel="${relation}" href="/docs/${guide.slug}"><span>${label}</span> ${escapeHtml(guide.title)}</a>\n`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
