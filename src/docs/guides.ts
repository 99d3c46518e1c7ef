// Lists the guides and renders their pages.

import { describeSettings } from '../config/config.ts'
import { renderCodeEntries, renderCodeIndex } from './error-list.ts'
import { escapeHtml, renderGuide, type Guide } from './guide-layout.ts'
import analytics from './guides/analytics.html'
import errors from './guides/errors.html'
import freshness from './guides/freshness.html'
import idempotency from './guides/idempotency.html'
import keys from './guides/keys.html'
import limits from './guides/limits.html'
import pagination from './guides/pagination.html'
import quickStart from './guides/quick-start.html'
import selfHosting from './guides/self-hosting.html'
import verification from './guides/verification.html'
import { headerStyle } from './header.ts'
import style from './style.css'

const articles: readonly (Guide & { article: string })[] = [
  {
    slug: 'quick-start',
    title: 'Quick start',
    summary: 'From an empty folder to the first answer, the first write and the first walk through pages.',
    article: quickStart,
  },
  {
    slug: 'keys',
    title: 'Keys and scope',
    summary: 'What a key looks like, where it is sent, what it reaches, and how it is made, exchanged and ended.',
    article: keys,
  },
  {
    slug: 'pagination',
    title: 'Lists and delta sync',
    summary: 'Pages, sorts and filters, what holds while others write, and how to keep a copy up to date.',
    article: pagination,
  },
  {
    slug: 'freshness',
    title: 'Fresh answers',
    summary: 'Why no answer is older than its request, what ETags save, and what happens without a database.',
    article: freshness,
  },
  {
    slug: 'idempotency',
    title: 'Safe writes',
    summary: 'How to send a write again without doing it twice, and how not to overwrite what others have changed.',
    article: idempotency,
  },
  {
    slug: 'verification',
    title: 'Proof of a change',
    summary: 'Work packets, their digest, and reads that wait until a change made through any channel has landed.',
    article: verification,
  },
  {
    slug: 'analytics',
    title: 'Analytics',
    summary: 'What every figure means, which list it equals, and how ranges, zones, percentiles and forecasts work.',
    article: analytics,
  },
  {
    slug: 'errors',
    title: 'Errors',
    summary: 'The one shape of every error, what may be sent again, and every code with its cause and its remedy.',
    article: errors,
  },
  {
    slug: 'limits',
    title: 'Limits',
    summary: 'Every limit there is, and what happens beyond it.',
    article: limits,
  },
  {
    slug: 'self-hosting',
    title: 'Self-hosting',
    summary: 'For operators: installing, configuring, watching, saving and upgrading the service.',
    article: selfHosting,
  },
]

export const guides: readonly Guide[] = articles.map(({ slug, title, summary }) => ({ slug, title, summary }))

/** Renders the whole page. */
export function renderGuidePage({ slug }: Guide): string {
  const { article, ...guide } = articles.find((candidate) => candidate.slug === slug)!
  return renderGuide(guide, fillPlaceholders(article), guides)
}

/** Served as /docs/style.css. */
export const guideStyle = headerStyle + style

/** Parts that are generated from the code, so that they are always up to date. */
const generators: Record<string, () => string> = {
  codeIndex: renderCodeIndex,
  codeEntries: renderCodeEntries,
  settings: renderSettings,
}

function fillPlaceholders(article: string): string {
  return article.replace(/<!-- made: (\w+) -->/g, (_, name: string) => generators[name]!())
}

function renderSettings(): string {
  const rows = describeSettings().map(
    ({ name, fallback, meaning }) =>
      `<tr><th scope="row"><code>${name}</code></th><td>${fallback && `<code>${escapeHtml(fallback)}</code>`}</td><td>${escapeHtml(meaning)}</td></tr>`,
  )
  return `<table>
<thead><tr><th scope="col">Name</th><th scope="col">Default</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
}
