// Renders the header of every page of the documentation.

import mark from './favicon.svg'
import style from './header.css'

export const headerStyle = style

const pages = { Guides: '/docs/quick-start', Reference: '/docs', OpenAPI: '/openapi.json' }

/** contentId is the target of the skip link. */
export function renderHeader(current: keyof typeof pages, contentId: string): string {
  const links = Object.entries(pages).map(
    ([name, path]) => `<a href="${path}"${name === current ? ' aria-current="true"' : ''}>${name}</a>`,
  )
  return `<a class="skip" href="#${contentId}">Skip to content</a>
<header class="top">
<a class="name" href="${pages.Guides}">${mark.trim()}Workgate</a>
<nav aria-label="Documentation">
${links.join('\n')}
</nav>
</header>`
}
