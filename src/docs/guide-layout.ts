// What stands around the article of every guide. No script, no style of its own and nothing from another host: the
// Content-Security-Policy of these pages allows none of it.

import { version } from '../runtime/version.ts'
import { header } from './header.ts'
import { highlight } from './highlight.ts'

export interface Guide {
  /** Its path is /docs/<slug>. */
  slug: string
  title: string
  /** What it is about, in a sentence. */
  summary: string
}

export function guideLayout(guide: Guide, article: string, guides: readonly Guide[]): string {
  const place = guides.findIndex(({ slug }) => slug === guide.slug)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escape(guide.summary)}">
<title>${escape(guide.title)} · Workgate</title>
<link rel="icon" href="/docs/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${header('Guides', 'content')}
<div class="page">
<nav class="guides" aria-label="Guides">
<details>
<summary>All guides</summary>
<ul>
${guides.map((one) => `<li><a href="/docs/${one.slug}"${one === guides[place] ? ' aria-current="page"' : ''}>${escape(one.title)}</a></li>`).join('\n')}
</ul>
</details>
</nav>
<main id="content" tabindex="-1">
<h1>${escape(guide.title)}</h1>
<p class="summary">${escape(guide.summary)}</p>
${contents(article)}
<article>
${withWays(article)}
</article>
<nav class="turn" aria-label="Previous and next">
${turn('prev', 'Before', guides[place - 1])}${turn('next', 'Next', guides[place + 1])}
</nav>
</main>
</div>
<footer class="foot">Workgate ${version} · <a href="/docs">Reference</a> · <a href="/openapi.json">OpenAPI document</a></footer>
</body>
</html>
`
}

const heading = /<h2 id="([^"]+)">([\s\S]*?)<\/h2>/g

function contents(article: string): string {
  const items = [...article.matchAll(heading)].map(([, id, text]) => `<li><a href="#${id}">${text!.trim()}</a></li>`)
  return `<nav class="contents" aria-label="On this page">
<details>
<summary>On this page</summary>
<ul>
${items.join('\n')}
</ul>
</details>
</nav>`
}

/** Headings lead to themselves, so that a link to them can be copied; what is wide scrolls by itself, by keyboard too. */
function withWays(article: string): string {
  return article
    .replace(/<!--.*?-->\n?/g, '')
    .replace(/<(h[23]) id="([^"]+)">([\s\S]*?)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
    .replace(/<pre\b/g, '<pre tabindex="0"')
    .replace(/(<pre[^>]*><code>)([\s\S]*?)(?=<\/code>)/g, (_, start: string, code: string) => start + highlight(code))
    .replace(/<table>/g, '<div class="wide" tabindex="0"><table>')
    .replace(/<\/table>/g, '</table></div>')
}

function turn(relation: 'prev' | 'next', label: string, guide: Guide | undefined): string {
  if (!guide) return ''
  return `<a rel="${relation}" href="/docs/${guide.slug}"><span>${label}</span> ${escape(guide.title)}</a>\n`
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
