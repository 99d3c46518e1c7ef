// Extracts tags, ids, links, text and code samples from guide pages. Regular expressions suffice: the HTML is plain.

const voids = ['meta', 'link', 'br', 'hr', 'img', 'input']
const svgShapes = ['path', 'rect']
/** Elements that implicitly end an open paragraph, so that the rest of the paragraph is outside it. */
const blocks = ['p', 'pre', 'ul', 'ol', 'table', 'div', 'section', 'h1', 'h2', 'h3', 'nav', 'article', 'details']
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>/g

/** Returns unclosed, unopened and misnested tags, tags that end their paragraph, and unescaped characters. */
export function brokenTags(page: string): string[] {
  const broken: string[] = []
  const open: string[] = []
  for (const [text, closing, name, , selfClosing] of page.matchAll(tag)) {
    if (voids.includes(name!) || (selfClosing && svgShapes.includes(name!))) continue
    if (closing) {
      if (open.at(-1) === name) open.pop()
      else broken.push(`${text} in <${open.at(-1)}>`)
    } else {
      if (open.includes('p') && blocks.includes(name!)) broken.push(`${text} in a paragraph`)
      open.push(name!)
    }
  }
  const rest = page.replace(/^<!doctype html>/, '').replace(tag, '')
  const odd = rest.match(/<.{0,20}|&(?!(amp|lt|gt|quot|#39);).{0,20}/g) ?? []
  return [...broken, ...open.map((name) => `<${name}> is not closed`), ...odd]
}

export const idsOf = (page: string) => [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)

export const linksOf = (page: string) => [...page.matchAll(/\shref="([^"]*)"/g)].map(([, href]) => href!)
