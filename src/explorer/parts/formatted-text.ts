// Text that somebody has written, in Markdown, HTML or the wiki markup of Jira. It becomes elements, never HTML: tags are
// shown as text, images are links, and only addresses of the web are links.

import { h, type ComponentChild } from 'preact'
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { Task } from '../api/types.ts'
import { decode } from '../text/character-references.ts'
import { isWikiMarkup, toMarkdown } from '../text/wiki-markup.ts'
import { ExternalLink, isWebAddress } from './external-link.ts'
import { nodesOfHtml } from './html-text.ts'

// The time that the lexer needs can grow with the square of the length. The longest issue on GitHub has 65,536
// characters. Longer texts and paragraphs are shown as they are.
const maxLength = 65_536
const maxParagraphLength = 10_000
const maxDepth = 20

interface FormattedTextProps {
  text: string
  /** If it is not known, Markdown and the wiki markup of Jira are told apart by their marks. */
  format: Task['descriptionFormat']
}

export function FormattedText({ text, format }: FormattedTextProps) {
  const isPlain = format === 'text' || text.length > maxLength
  return h(
    'div',
    { class: format === 'html' ? 'text html' : 'text', dir: 'auto' },
    isPlain ? text : format === 'html' ? nodesOfHtml(text) : nodesOf(tokensOf(text.replace(/\r\n?/g, '\n'), format)),
  )
}

const tokensOf = (text: string, format: Task['descriptionFormat']) =>
  new LimitedLexer({ gfm: true, breaks: true }).lex(
    format === 'jira' || (format === null && isWikiMarkup(text)) ? toMarkdown(text) : text,
  )

class LimitedLexer extends Lexer {
  #depth = 0

  override blockTokens(text: string, tokens: Token[] = [], isClipped?: boolean) {
    return this.#within(tokens, text, maxLength, () => super.blockTokens(text, tokens, isClipped))
  }

  override inlineTokens(text: string, tokens: Token[] = []) {
    return this.#within(tokens, text, maxParagraphLength, () => super.inlineTokens(text, tokens))
  }

  #within(tokens: Token[], text: string, max: number, read: () => Token[]): any {
    if (text.length > max || this.#depth > maxDepth) {
      tokens.push({ type: 'escape', raw: text, text })
      return tokens
    }
    this.#depth++
    const found = read()
    this.#depth--
    return found
  }
}

const nodesOf = (tokens: Token[], inLink = false): ComponentChild[] =>
  tokens.map((token) => nodeOf(token as MarkedToken, inLink))

function nodeOf(token: MarkedToken, inLink: boolean): ComponentChild {
  const inside = (name: string, { tokens }: { tokens: Token[] }) => h(name, null, nodesOf(tokens, inLink))
  switch (token.type) {
    case 'paragraph':
      return inside('p', token)
    case 'heading':
      // The page and its panels have the first two levels, and none may be left out.
      return h('h3', token.depth <= 2 ? null : { class: 'quiet' }, nodesOf(token.tokens, inLink))
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      return inside(token.type, token)
    case 'list':
      return h(
        token.ordered ? 'ol' : 'ul',
        token.ordered ? { start: token.start } : null,
        token.items.map((item) => h('li', null, nodesOf(item.tokens))),
      )
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'code':
      return h('pre', { tabIndex: 0 }, h('code', null, token.text))
    case 'codespan':
      return h('code', null, token.text)
    case 'table':
      return tableOf(token)
    case 'link':
      return isWebAddress(token.href)
        ? h(ExternalLink, {
            url: addressOf(token),
            children: token.autolink ? token.text : nodesOf(token.tokens, true),
          })
        : token.raw
    case 'image':
      return imageOf(token, inLink)
    case 'text':
      return token.tokens ? nodesOf(token.tokens, inLink) : decode(token.text)
    case 'html':
      return htmlOf(token.raw)
    case 'escape':
      return token.text
    case 'br':
      return h('br', null)
    case 'hr':
      return h('hr', null)
    case 'space':
    case 'def':
      return null
    default:
      return (token satisfies Tokens.ListItem).raw
  }
}

const addressOf = ({ href, autolink }: { href: string; autolink?: boolean }) => (autolink ? href : decode(href))

function imageOf(token: Tokens.Image, inLink: boolean): ComponentChild {
  const text = decode(token.text) || token.href.split('/').at(-1)!
  if (inLink) return text
  return isWebAddress(token.href) ? h(ExternalLink, { url: decode(token.href), children: text }) : token.raw
}

function tableOf({ header, rows }: Tokens.Table): ComponentChild {
  const rowOf = (name: 'th' | 'td', cells: Tokens.TableCell[]) =>
    h(
      'tr',
      null,
      cells.map(({ tokens }) => h(name, null, nodesOf(tokens))),
    )
  return h(
    'div',
    { class: 'scrolling', tabIndex: 0, role: 'group', 'aria-label': 'Table' },
    h(
      'table',
      null,
      header.some(({ text }) => text !== '') && h('thead', null, rowOf('th', header)),
      h(
        'tbody',
        null,
        rows.map((cells) => rowOf('td', cells)),
      ),
    ),
  )
}

function htmlOf(raw: string): ComponentChild {
  if (/^\s*<!--[^]*-->\s*$/.test(raw)) return null
  return /^<br\s*\/?>$/i.test(raw) ? h('br', null) : raw
}
