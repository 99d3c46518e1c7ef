// The codes as the guide shows them: all at a glance, and one by one at the anchors that the `type` of problems names.

import { problems, type Code } from '../api/problems/problem.ts'
import { entries, type Entry } from './error-entries.ts'
import { escape } from './guide-layout.ts'

const codes = Object.keys(entries) as Code[]

/** All codes at a glance. */
export function codeIndex(): string {
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

export function codeEntries(): string {
  return codes.map((code) => codeEntry(code, entries[code])).join('\n')
}

function codeEntry(code: Code, { cause, detail, remedy }: Entry): string {
  const [status, title] = problems[code]
  return `<section class="code">
<h3 id="${code}">${code}</h3>
<p class="status"><span>${status}</span> ${title}</p>
<p>${marked(cause)}</p>
<p class="detail"><q>${escape(detail)}</q></p>
<p><strong>What to do.</strong> ${marked(remedy)}</p>
</section>`
}

function marked(text: string): string {
  return escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>')
}
