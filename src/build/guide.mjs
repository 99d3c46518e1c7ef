// Compiles the guides from Markdown into the parts of their pages. A guide begins with its title and a one-sentence
// summary.

import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'node:path'
import { Marked } from 'marked'
import { groupExamples, renderCode, renderExample, renderInlineCode } from './code-blocks.mjs'

const folder = new URL('../docs/guides/', import.meta.url)
const readFrom = (path, encoding = 'utf8') => readFileSync(new URL(path, folder), encoding)

/** Generates the module workgate:guides: all guides by the names of their files. */
export function guidesModule() {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  const guides = files.map((file) => [parse(file).name, compileGuide(readFrom(file), readFrom)])
  return `export const guides = ${JSON.stringify(Object.fromEntries(guides))}`
}

/**
 * @param {string} markdown
 * @param {(path: string, encoding?: 'utf8' | 'base64') => string} readFile reads a file at a path relative to the guide
 * @returns {import('./guide.d.mts').GuideParts}
 */
export function compileGuide(markdown, readFile) {
  const sections = []
  const ids = new Set()
  const marked = new Marked({
    extensions: [{ name: 'example', renderer: ({ blocks }) => renderExample(blocks) }],
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
      code: renderCode,
      codespan: ({ text }) => renderInlineCode(text),
      image: ({ href, text }) =>
        href.endsWith('.svg') ? inlineDrawing(readFile(href)) : inlinePicture(href, text, readFile),
      // Tables scroll on their own, with the keyboard too.
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
  return { title: title.text, summary: summary.text, article: marked.parser(groupExamples(article)), sections }
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
  if (/^\/(explorer|docs|openapi\.json|docs\/workgate-(alerts\.yaml|dashboard\.json))$/.test(href)) return `..${href}`
  if (/^(#|https:\/\/)/.test(href)) return href
  throw new Error(`a guide links to ${href}`)
}

/**
 * Makes an SVG file part of the page. Its own style is for viewers of the file, such as the repository; on the page the
 * drawing follows the theme.
 */
function inlineDrawing(svg) {
  const drawing = svg.replace(/<style>[^]*?<\/style>/, '').replace(/>\s+</g, '><')
  return drawing.trim().replace('<svg ', '<svg class="drawing" ')
}

/** Makes a picture part of the page. */
function inlinePicture(path, text, readFile) {
  return `<img class="picture" src="data:image/webp;base64,${readFile(path, 'base64')}" alt="${text}">`
}
