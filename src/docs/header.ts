// Renders the header of every page of the documentation. All links are relative, so that they work behind any proxy.

import mark from './favicon.svg'
import style from './header.css'

export const headerStyle = style

const pages = { Guides: 'docs/quick-start', Reference: 'docs', OpenAPI: 'openapi.json' }

/** root is the relative path to /, and contentId the target of the skip link. */
export function renderHeader(current: keyof typeof pages, root: '' | '../', contentId: string): string {
  const links = Object.entries(pages).map(
    ([name, path]) => `<a href="${root}${path}"${name === current ? ' aria-current="true"' : ''}>${name}</a>`,
  )
  return `<a class="skip" href="#${contentId}">Skip to content</a>
<header class="top">
<a class="name" href="${root}${pages.Guides}">${mark.trim()}Workgate</a>
<nav aria-label="Documentation">
${links.join('\n')}
</nav>
</header>`
}
