// HTML that somebody has written, as elements that are made here: no parser of the browser reads it. Attributes other than the
// address of a link are left out, and so are elements that are not shown; their text remains.

import { h, type ComponentChild } from 'preact'
import { decode } from '../text/character-references.ts'
import { ExternalLink } from './external-link.ts'

const token = new RegExp(
  [
    /<!--[^]*?(?:-->|$)/,
    /<(script|style|template|title)\b[^]*?(?:<\/\1\s*>|$)/,
    /<(?<end>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>[^<>]*)>/,
    /(?<text>[^<]+|<)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** The elements that are shown, and as which. */
const shown = new Map([
  ...'p ul ol li strong em u s del sub sup code pre blockquote table thead tbody tr th td a'
    .split(' ')
    .map((name) => [name, name] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, 'h3'] as const),
  ['b', 'strong'],
  ['i', 'em'],
  ['div', 'p'],
])
/** Which elements end where one begins, without being closed. */
const endsAt = new Map([
  ['p', ['p']],
  ['li', ['p', 'li']],
  ['tr', ['p', 'td', 'th', 'tr']],
  ['td', ['p', 'td', 'th']],
  ['th', ['p', 'td', 'th']],
])
const maxDepth = 20

interface Open {
  name: string
  address?: string
  inside: ComponentChild[]
}

export function nodesOfHtml(html: string): ComponentChild[] {
  const root: Open = { name: '', inside: [] }
  const open = [root]
  const last = () => open.at(-1)!
  const close = () => {
    const { name, address, inside } = open.pop()!
    last().inside.push(
      name === 'a' ? h(ExternalLink, { url: address ?? '', children: inside }) : h(shown.get(name)!, null, inside),
    )
  }
  for (const { groups = {} } of html.matchAll(token)) {
    const { end, attributes = '', text } = groups
    const name = groups['name']?.toLowerCase()
    if (text !== undefined) last().inside.push(decode(text))
    else if (name === 'br' || name === 'hr') last().inside.push(h(name, null))
    else if (name === 'img') last().inside.push(valueOf(attributes, 'alt'))
    else if (name === undefined || !shown.has(name)) continue
    else if (end) {
      const depth = open.findLastIndex((one) => one.name === name)
      while (depth > 0 && open.length > depth) close()
    } else {
      while (endsAt.get(name)?.includes(last().name)) close()
      if (open.length <= maxDepth) open.push({ name, address: valueOf(attributes, 'href'), inside: [] })
    }
  }
  while (open.length > 1) close()
  return root.inside
}

function valueOf(attributes: string, name: string): string {
  const [, quoted, other, bare] =
    new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|(\\S+))`, 'i').exec(attributes) ?? []
  return decode(quoted ?? other ?? bare ?? '')
}
