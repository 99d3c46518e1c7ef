// HTML that somebody has written. The browser parses it without running anything; what is shown are new elements without
// attributes, links to addresses of the web, and the text of everything else.

import { h, type ComponentChild } from 'preact'
import { ExternalLink } from './external-link.ts'

/** The elements that are shown, as which they are shown. */
const shown: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'p br hr ul ol li strong em u s del sub sup code pre blockquote table thead tbody tr th td'
      .split(' ')
      .map((name) => [name, name]),
  ),
  ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'h3'])),
  b: 'strong',
  i: 'em',
  div: 'p',
}
const dropped = new Set(['script', 'style', 'template', 'head', 'title'])

export const nodesOfHtml = (html: string): ComponentChild[] =>
  childrenOf(new DOMParser().parseFromString(html, 'text/html').body)

const childrenOf = (parent: Node): ComponentChild[] => Array.from(parent.childNodes, nodeOf)

function nodeOf(node: Node): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (dropped.has(name)) return null
  if (name === 'a') return h(ExternalLink, { url: node.getAttribute('href') ?? '', children: childrenOf(node) })
  if (name === 'img') return node.getAttribute('alt')
  return shown[name] === undefined ? childrenOf(node) : h(shown[name], null, childrenOf(node))
}
