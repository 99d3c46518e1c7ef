// Translates the wiki markup of Jira to Markdown. It is recognized by marks that Markdown does not have.

const tag = /\{(?:code|noformat|quote|panel|color)(?::[^{}\n]{0,200})?\}/
const fileName = String.raw`[^\s!|\]](?:[^!|\]\n]{0,300}\.[a-z0-9]{2,4})`
const image = String.raw`!${fileName}(?:\|[^!\n]{0,100})?!`
const link = String.raw`\[(?:[^\]|\n]{1,500}\|)?https?:\/\/[^\]|\s]{1,2000}(?:\|[^\]\n]{0,100})?\]`
// A footnote of Markdown is no attachment.
const mention = String.raw`\[(?:~[^\]|\n]{1,200}|\^[^\]|\n]{1,200}\.[a-z0-9]{2,4})\]`
const code = String.raw`\{\{[^\n]{1,500}?\}\}`

const wikiBlocks = new RegExp(`${tag.source}|^[ \\t]*(?:h[1-6]\\. |bq\\. |\\|\\|[^|\\n]{1,500}\\|\\|)`, 'm')
const wikiMarks = new RegExp(
  [
    /^(?:\*{2,}|#\*|\*#) +\S/.source,
    // In Markdown, headings do not follow each other.
    /^# .{1,500}\n# /.source,
    /\[[^\]|\n]{1,500}\|https?:\/\//.source,
    String.raw`(?<!\$)${code}`,
    image,
    mention,
  ].join('|'),
  'im',
)
const markdownMarks = /^[ \t]*```|\]\(|`[^`\n]{1,500}`|\*\*[^\s*]/m

export const isWikiMarkup = (text: string): boolean =>
  wikiBlocks.test(text) || (wikiMarks.test(text) && !markdownMarks.test(text))

/** The lines of the text end with `\n`. */
export function toMarkdown(text: string): string {
  const parts = text.split(new RegExp(`(${tag.source})`))
  const blocks: string[] = []
  let pending = ''
  let quoteStart = -1
  const flush = () => {
    if (pending.trim() !== '') blocks.push(blocksOf(pending))
    pending = ''
  }
  const endQuote = () => {
    blocks.push(blocks.splice(quoteStart).join('\n\n').replace(/^/gm, '> '))
    quoteStart = -1
  }
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    const [, name, options = ''] = at % 2 === 1 ? /^\{(\w+):?(.*)\}$/.exec(part)! : []
    const title = /(?:^|\|)title=([^|]+)/.exec(options)?.[1]
    if (name === undefined) pending += part
    else if (name === 'quote' || name === 'panel') {
      flush()
      if (quoteStart === -1) quoteStart = blocks.length
      else endQuote()
      if (title) blocks.push(`**${escapeAll(title)}**`)
    } else if (name !== 'color') {
      const end = parts.indexOf(`{${name}}`, at + 1)
      if (end === -1) {
        pending += part
        continue
      }
      flush()
      if (title) blocks.push(`**${escapeAll(title)}**`)
      blocks.push(fence(parts.slice(at + 1, end).join(''), options))
      at = end
    }
  }
  flush()
  if (quoteStart !== -1) endQuote()
  return blocks.join('\n\n')
}

function fence(text: string, options: string): string {
  const ticks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([found]) => found.length + 1)))
  const language = options.split('|').find((option) => /^\w+$/.test(option)) ?? ''
  return `${ticks}${language}\n${text.replace(/^[ \t]*\n|\n[ \t]*$/g, '')}\n${ticks}`
}

/** Headings, lists, tables and paragraphs. */
function blocksOf(text: string): string {
  const lines: string[] = []
  let columns = 0
  let depth = 0
  for (const line of text.split('\n')) {
    const row = /^[ \t]*(\|\|?)(.+)$/.exec(line)
    if (row) {
      const cells = cellsOf(row[2]!)
      if (columns === 0) {
        columns = cells.length
        const head = row[1] === '||' ? cells : cells.map(() => ' ')
        lines.push('', tableRow(head), tableRow(cells.map(() => '---')))
        if (row[1] === '||') continue
      }
      lines.push(tableRow(cells))
      continue
    }
    if (columns > 0) lines.push('')
    columns = 0
    const item = /^[ \t]*(\*+|#+|[*#]{2,}|-)[ \t]+(.+)$/.exec(line)
    if (!item) {
      depth = 0
      lines.push(blockOf(line))
      continue
    }
    const markers = [...item[1]!].slice(-depth - 1)
    depth = markers.length
    // An item is indented to the text of the item that it belongs to.
    const indent = markers.slice(0, -1).map((marker) => (marker === '#' ? '   ' : '  '))
    lines.push(`${indent.join('')}${markers.at(-1) === '#' ? '1.' : '-'} ${inline(item[2]!)}`)
  }
  return lines.join('\n')
}

function blockOf(line: string): string {
  const text = line.trim()
  const heading = /^h([1-6])\.\s+(.*)$/.exec(text)
  if (heading) return `\n${'#'.repeat(Number(heading[1]))} ${inline(heading[2]!)}\n`
  if (text.startsWith('bq. ')) return `\n> ${inline(text.slice(4))}\n`
  if (/^-{4,}$/.test(text)) return '\n---\n'
  // Lines that mean something else in Markdown.
  return inline(text).replace(/^(?=[>#+=]|-+$)/, '\\')
}

const tableRow = (cells: string[]) => `| ${cells.join(' | ')} |`

function cellsOf(row: string): string[] {
  const cells = row.replace(/\|+\s*$/, '').match(new RegExp(`(?:${code}|${link}|${image}|[^|])+`, 'gi')) ?? ['']
  return cells.map((cell) => inline(cell.trim()).replaceAll('|', '\\|'))
}

const whole = new RegExp(`(${code}|${link}|${image}|${mention}|https?://[^\\s|\\]]{1,2000})`, 'gi')
// Characters that no text contains stand for marks of Markdown and for parts that are already translated.
const [strong, struck, open, close] = ['\uE000', '\uE001', '\uE002', '\uE003']

function inline(text: string): string {
  const done: string[] = []
  const marked = text
    .replace(/[\uE000-\uE003]/g, '')
    .replace(/\{([*_-])\}/g, '$1')
    .replace(whole, (part) => `${open}${done.push(translate(part)) - 1}${close}`)
    .replace(/(^|[^\p{L}\p{N}*\\])\*([^\s*]|[^\s*][^*]*[^\s*])\*(?![\p{L}\p{N}*])/gu, `$1${strong}$2${strong}`)
    .replace(/(^|[\s(])-([^\s-]|[^\s-][^-]*[^\s-])-(?![^\s).,:;!?])/g, `$1${struck}$2${struck}`)
    .replace(/\\\\(?=\s|$)/g, open)
  return escape(marked)
    .replaceAll(strong, '**')
    .replaceAll(struck, '~~')
    .replace(new RegExp(`${open}(?:(\\d+)${close})?`, 'g'), (_, n?: string) =>
      n === undefined ? '<br>' : done[Number(n)]!,
    )
}

/** Markdown escapes more characters, and only those. */
const escape = (text: string) =>
  text.replace(/\\?([`*<~])|\\(?![^\s\w\\])/g, (_, sign?: string) => (sign ? `\\${sign}` : '\\\\'))
const escapeAll = (text: string) => text.replace(/[\\`*_~<[\]!]/g, '\\$&')

function translate(part: string): string {
  if (part.startsWith('{{')) return `\`\` ${part.slice(2, -2).replaceAll('``', "''")} \`\``
  if (part.startsWith('[~')) return `@${escapeAll(part.slice(2, -1).replace(/^accountid:/, ''))}`
  if (part.startsWith('[^')) return escapeAll(part.slice(2, -1))
  if (part.startsWith('!')) {
    const name = part.slice(1, -1).split('|')[0]!
    return /^https?:/i.test(name) ? linkTo(name, name) : escapeAll(name)
  }
  if (!part.startsWith('[')) return part
  const [first, second] = part.slice(1, -1).split('|') as [string, string?]
  return second === undefined || /^https?:/i.test(first) ? linkTo(first, first) : linkTo(first, second)
}

const linkTo = (text: string, url: string) => `[${escapeAll(text)}](<${url.replace(/[<>\\]/g, encodeURIComponent)}>)`
