// What tests look for in the pages of the guides. No parser: the pages are ours, and plain.

const voids = ['meta', 'link', 'br', 'hr', 'img', 'input', 'path']
/** A paragraph ends by itself before these, and what comes after it is not what was meant. */
const blocks = ['p', 'pre', 'ul', 'ol', 'table', 'div', 'section', 'h1', 'h2', 'h3', 'nav', 'article', 'details']
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>/g

/** Tags that are not closed, not opened, closed in another order, or in a paragraph that they end; and what is no HTML. */
export function brokenTags(page: string): string[] {
  const broken: string[] = []
  const open: string[] = []
  for (const [text, closing, name] of page.matchAll(tag)) {
    if (voids.includes(name!)) continue
    if (closing) {
      if (open.at(-1) === name) open.pop()
      else broken.push(`${text} in <${open.at(-1)}>`)
    } else {
      if (open.includes('p') && blocks.includes(name!)) broken.push(`${text} in a paragraph`)
      open.push(name!)
    }
  }
  const rest = page.replace(/^<!doctype html>/, '').replace(tag, '')
  const odd = rest.match(/<.{0,20}|&(?!(amp|lt|gt|quot);).{0,20}/g) ?? []
  return [...broken, ...open.map((name) => `<${name}> is not closed`), ...odd]
}

export const idsOf = (page: string) => [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)

export const linksOf = (page: string) => [...page.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href!)

/** As a reader sees it, but for white space. */
export const textOf = (page: string) => decode(page.replace(tag, ''))

/** What stands in a <pre>; data-run and data-file say that it is to be run, or saved. */
export function codeSamples(page: string): { code: string; runs: boolean; file: string | undefined }[] {
  return [...page.matchAll(/<pre([^>]*)><code>([\s\S]*?)<\/code><\/pre\s*>/g)].map(([, attributes, code]) => ({
    code: textOf(code!),
    runs: /\sdata-run\b/.test(attributes!),
    file: /\sdata-file="([^"]+)"/.exec(attributes!)?.[1],
  }))
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
