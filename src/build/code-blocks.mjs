// Renders the code blocks of a guide. A shell example that is directly followed by the same example in JavaScript and in
// Python becomes one block with a choice of language.

import { highlightCode } from './highlight.mjs'

/** The languages of an example, in order. */
const exampleLanguages = { sh: 'curl', js: 'JavaScript', python: 'Python' }

/**
 * Examples that use the API contain this address. On the served page, a script replaces it with the address of the page.
 * Addresses to listen on, such as in the configuration of proxies, have no such path and remain.
 */
const address = /http:\/\/127\.0\.0\.1:8080(?=\/(?:api\/external\/v1|docs|openapi\.json)\b)/g

/**
 * Replaces each example in several languages with one token.
 * @param {import('marked').Token[]} tokens
 */
export function groupExamples(tokens) {
  const names = Object.keys(exampleLanguages)
  const grouped = []
  for (let at = 0; at < tokens.length; at++) {
    const following = codeBlocksFrom(tokens, at).slice(0, names.length)
    const found = following.map(languageOf)
    if (found[0] === 'js' && found[1] === 'python') throw new Error('an example in JavaScript and Python lacks curl')
    if (found.join() !== names.join()) {
      grouped.push(tokens[at])
      continue
    }
    grouped.push({ type: 'example', raw: '', blocks: following })
    at = tokens.indexOf(following.at(-1))
  }
  return grouped
}

/** Returns the code blocks that begin at a position with only empty lines between them. */
function codeBlocksFrom(tokens, start) {
  const blocks = []
  for (let at = start; tokens[at]?.type === 'code' || (blocks.length > 0 && tokens[at]?.type === 'space'); at++) {
    if (tokens[at].type === 'code') blocks.push(tokens[at])
  }
  return blocks
}

const languageOf = ({ lang = '' }) => lang.split(' ')[0]

// Code scrolls on its own, with the keyboard too. The outer element holds the button that copies the code.
function renderPre(block) {
  const language = languageOf(block)
  const code = highlightCode(escapeHtml(block.text), language)
  // The output of programs, such as npm start, contains the address that the service listens on.
  return `<pre tabindex="0"><code>${language === 'text' ? code : markAddress(code)}</code></pre>`
}

export const renderCode = (block) => `<div class="code">${renderPre(block)}</div>\n`

export const renderInlineCode = (text) => `<code>${markAddress(escapeHtml(text))}</code>`

export function renderExample(blocks) {
  const buttons = Object.entries(exampleLanguages).map(
    ([language, label]) => `<button type="button" data-language="${language}">${label}</button>`,
  )
  const panels = blocks.map((block) => {
    const language = languageOf(block)
    const label = `<p class="language">${exampleLanguages[language]}</p>`
    return `<div class="code" data-language="${language}">${label}${renderPre(block)}</div>\n`
  })
  return `<div class="example">
<div class="languages" role="group" aria-label="Language of the examples">${buttons.join('')}</div>
${panels.join('')}</div>\n`
}

const markAddress = (html) => html.replace(address, (text) => `<span data-address>${text}</span>`)

export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
