// Renders the header of every page. All links are relative, so that they work behind any proxy.

import mark from './favicon.svg'

const pages = { Explorer: 'explorer', Guides: 'docs/quick-start', Reference: 'docs', OpenAPI: 'openapi.json' }

/**
 * The head of every page loads this script, which blocks rendering, so that a page appears in the remembered theme. The
 * path is relative to the directory of the page.
 */
export const renderScripts = (folder: string, ...names: string[]): string =>
  [
    `<script src="${folder}preferences.js"></script>`,
    `<script type="module" src="${folder}theme.js"></script>`,
    ...names.map((name) => `<script type="module" src="${folder}${name}.js"></script>`),
  ].join('\n')

/** root is the relative path to /, and contentId the target of the skip link. */
export function renderHeader(current: keyof typeof pages, root: '' | '../', contentId: string): string {
  const isDocumentation = current !== 'Explorer'
  const links = Object.entries(pages).map(
    ([name, path]) => `<a href="${root}${path}"${name === current ? ' aria-current="true"' : ''}>${name}</a>`,
  )
  return `<a class="skip" href="#${contentId}">Skip to content</a>
<header class="top">
<a class="name" href="${root}${pages.Explorer}">${mark.trim()}<span>Workgate</span></a>
<nav aria-label="Pages">
${links.join('\n')}
</nav>
<div class="tools">
${isDocumentation ? findButton : ''}
<button type="button" class="theme" aria-label="Theme">${icons.system}${icons.light}${icons.dark}</button>
</div>
</header>
${isDocumentation ? searchDialog : ''}`
}

const drawIcon = (name: string, path: string) =>
  `<svg class="icon${name && ` ${name}`}" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"></path></svg>`

const icons = {
  find: drawIcon('', 'M16.5 16.5 21 21M11 18.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15z'),
  system: drawIcon('system', 'M3 5h18v11H3zM8 20h8M12 16v4'),
  light: drawIcon(
    'light',
    'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  ),
  dark: drawIcon('dark', 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z'),
}

const findButton = `<button type="button" class="find" aria-label="Search" aria-haspopup="dialog" aria-keyshortcuts="/">${icons.find}<span>Search</span><kbd>/</kbd></button>`

/** Filled by browser/search.client.js. */
const searchDialog = `<dialog class="search" aria-label="Search">
<input type="search" aria-label="Search guides and reference" placeholder="Search guides and reference" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="go">
<p role="status"></p>
<ol></ol>
</dialog>`
