// What stands at the top of every page of the documentation.

import mark from './favicon.svg'
import style from './header.css'

export const headerStyle = style

const places = { Guides: '/docs/quick-start', Reference: '/docs', OpenAPI: '/openapi.json' }

/** The way past it leads to what has the id. */
export function header(here: keyof typeof places, content: string): string {
  const links = Object.entries(places).map(
    ([name, path]) => `<a href="${path}"${name === here ? ' aria-current="true"' : ''}>${name}</a>`,
  )
  return `<a class="skip" href="#${content}">Skip to the content</a>
<header class="top">
<a class="name" href="${places.Guides}">${mark.trim()}Workgate</a>
<nav aria-label="Documentation">
${links.join('\n')}
</nav>
</header>`
}
