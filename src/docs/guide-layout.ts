// Renders the page around the article of a guide. It has no inline scripts or styles and nothing from other hosts, as the
// Content-Security-Policy of the guides allows none of these. Without scripts, everything can be read.
// All links are relative to /docs/.

import type { GuideParts } from '../build/guide.d.mts'
import { version } from '../runtime/program.ts'
import { renderHeader, renderScripts } from './header.ts'

export interface Guide extends GuideParts {
  slug: string
}

export interface GuideGroup {
  title: string
  guides: readonly Guide[]
}

export function renderGuide(guide: Guide, groups: readonly GuideGroup[]): string {
  const guides = groups.flatMap((group) => group.guides)
  const position = guides.indexOf(guide)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(guide.summary)}">
<title>${escapeHtml(guide.title)} · Workgate</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
${renderScripts('', 'header', 'guide')}
</head>
<body>
${renderHeader('Guides', '../', 'content')}
<div class="page">
<nav class="guides" aria-label="Guides">
<details>
<summary>All guides</summary>
${groups.map((group) => renderGroup(group, guide)).join('\n')}
</details>
</nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(guide.title)}</h1>
<p class="summary">${escapeHtml(guide.summary)}</p>
${renderContents(guide)}
<article>
${guide.article}
</article>
<nav class="turn" aria-label="Previous and next">
${renderPagerLink('prev', 'Previous', guides[position - 1])}${renderPagerLink('next', 'Next', guides[position + 1])}
</nav>
</main>
</div>
<footer class="foot">Workgate ${version} · <a href="../docs">Reference</a> · <a href="../openapi.json">OpenAPI document</a></footer>
</body>
</html>
`
}

function renderGroup({ title, guides }: GuideGroup, current: Guide): string {
  const items = guides.map((guide) => {
    const mark = guide === current ? ' aria-current="page"' : ''
    return `<li><a href="${guide.slug}"${mark}>${escapeHtml(guide.title)}</a></li>`
  })
  return `<p>${escapeHtml(title)}</p>
<ul>
${items.join('\n')}
</ul>`
}

function renderContents({ sections }: Guide): string {
  const items = sections.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`)
  return `<nav class="contents" aria-label="On this page">
<details>
<summary>On this page</summary>
<ul>
${items.join('\n')}
</ul>
</details>
</nav>`
}

function renderPagerLink(relation: 'prev' | 'next', label: string, guide: Guide | undefined): string {
  if (!guide) return ''
  return `<a rel="${relation}" href="${guide.slug}"><span>${label}</span> ${escapeHtml(guide.title)}</a>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
