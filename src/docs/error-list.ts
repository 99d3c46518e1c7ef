// Renders the error codes for the guide: a table of all, and an entry for each at the anchor that the `type` of
// problems names.

import { problems, type Code } from '../api/problems/problem.ts'
import { entries, type Entry } from './error-entries.ts'
import { escapeHtml } from './guide-layout.ts'

const codes = Object.keys(entries) as Code[]

export function renderCodeIndex(): string {
  const rows = codes.map((code) => {
    const [status, title] = problems[code]
    return `<tr><td>${status}</td><th scope="row"><a href="#${code}"><code>${code}</code></a></th><td>${title}</td></tr>`
  })
  return `<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Title</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
}

export function renderCodeEntries(): string {
  return codes.map((code) => renderCodeEntry(code, entries[code])).join('\n')
}

function renderCodeEntry(code: Code, { cause, detail, remedy }: Entry): string {
  const [status, title] = problems[code]
  return `<section class="code">
<h3 id="${code}">${code}</h3>
<p class="status"><span>${status}</span> ${title}</p>
<p>${renderMarkup(cause)}</p>
<p class="detail"><q>${escapeHtml(detail)}</q></p>
<p><strong>What to do.</strong> ${renderMarkup(remedy)}</p>
</section>`
}

function renderMarkup(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>')
}
