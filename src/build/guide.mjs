// Compiles a guide from Markdown into the parts of its page. A guide begins with its title and a one-sentence summary.

import { Marked } from 'marked'
import { highlightCode } from './highlight.mjs'

/**
 * @param {string} markdown
 * @returns {import('./guide.d.mts').GuideParts}
 */
export function compileGuide(markdown) {
  const sections = []
  const ids = new Set()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugOf(text)
        if (ids.has(id)) throw new Error(`duplicate heading: ${text}`)
        ids.add(id)
        const content = this.parser.parseInline(tokens)
        if (depth === 2) sections.push({ id, title: content })
        return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`
      },
      // Code and tables scroll on their own, with the keyboard too.
      code({ text }) {
        return `<pre tabindex="0"><code>${highlightCode(escapeHtml(text))}</code></pre>\n`
      },
      table({ header, rows }) {
        const cell = (content, tag) => `<${tag}>${this.parser.parseInline(content.tokens)}</${tag.split(' ')[0]}>`
        const head = header.map((content) => cell(content, 'th scope="col"')).join('')
        const body = rows.map(
          ([first, ...rest]) =>
            `<tr>${cell(first, 'th scope="row"')}${rest.map((content) => cell(content, 'td')).join('')}</tr>\n`,
        )
        return `<div class="wide" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('')}</tbody>
</table></div>\n`
      },
      html({ text }) {
        if (/^\s*<!--.*-->\s*$/s.test(text)) return ''
        throw new Error(`a guide contains HTML: ${text}`)
      },
    },
  })
  const [title, , summary, ...article] = marked.lexer(markdown)
  if (title?.type !== 'heading' || summary?.type !== 'paragraph') {
    throw new Error('a guide begins with its title, an empty line and its summary')
  }
  return { title: title.text, summary: summary.text, article: marked.parser(article), sections }
}

/** The id that GitHub gives a heading, except that an error code keeps its case: the `type` of a problem contains it. */
function slugOf(heading) {
  const errorCode = /^`([A-Z_]+)`$/.exec(heading)
  if (errorCode) return errorCode[1]
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Guides link to each other as files, so that the links work in the repository too. Compiled, the links are relative to
 * /docs/, so that they work behind a proxy that strips a prefix.
 */
function addressOf(href) {
  const guide = /^([a-z-]+)\.md(#.*)?$/.exec(href)
  if (guide) return `${guide[1]}${guide[2] ?? ''}`
  if (/^\/(docs|openapi\.json)$/.test(href)) return `..${href}`
  if (/^(#|https:\/\/)/.test(href)) return href
  throw new Error(`a guide links to ${href}`)
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
