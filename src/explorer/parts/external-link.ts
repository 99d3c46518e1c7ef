// A link to another site. Only addresses of the web become links.

import { Fragment, h, type ComponentChildren } from 'preact'

export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)

/** Opens a new tab, because the key may only be in this one. */
export function ExternalLink({ url, children }: { url: string; children: ComponentChildren }) {
  if (!isWebAddress(url)) return h(Fragment, null, children)
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, children)
}
