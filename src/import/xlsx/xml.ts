// Parses XML in pieces: elements, attributes and text. Prefixes of namespaces are left out. Document types are refused, and
// so there are no entities but the five of XML itself.

import { InvalidFile } from '../invalid.ts'

export type Attributes = Readonly<Partial<Record<string, string>>>

export interface XmlListener {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /** A part of the text of an element. */
  text(text: string): void
}

/** Excel has at most 32,767 characters in a cell. */
const maxTokenLength = 1_048_576
const maxDepth = 100

const name = String.raw`[^\s"'<>/=&]+`
const value = String.raw`"[^"<]*"|'[^'<]*'`
/** A tag from its "<", if it is complete. */
const tagPattern = /<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y
const startPattern = new RegExp(String.raw`^<(${name})((?:\s+${name}\s*=\s*(?:${value}))*)\s*(/?)>$`)
const endPattern = new RegExp(String.raw`^</(${name})\s*>$`)
const attributePattern = new RegExp(String.raw`(${name})\s*=\s*(${value})`, 'g')
/** What is neither a tag nor text: how it begins and ends. */
const others = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

const entities: Readonly<Partial<Record<string, string>>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export class XmlParser {
  readonly #part: string
  readonly #listener: XmlListener
  /** Text that has not been parsed. */
  #rest = ''
  /** The elements around it, with their prefixes. */
  readonly #path: string[] = []
  #hasRoot = false

  /** `part` is the name for messages. */
  constructor(part: string, listener: XmlListener) {
    this.#part = part
    this.#listener = listener
  }

  write(chunk: string): void {
    if (chunk.includes('\0')) throw this.#damaged()
    const text = this.#rest + chunk
    let at = 0
    for (let end = this.#next(text, at); end !== undefined; end = this.#next(text, at)) at = end
    this.#rest = text.slice(at)
    if (this.#rest.length > maxTokenLength) throw this.#damaged()
  }

  end(): void {
    if (!this.#hasRoot || this.#path.length > 0 || this.#rest.trim() !== '') throw this.#damaged()
  }

  #damaged() {
    return new InvalidFile(`a damaged workbook: ${this.#part} is not valid XML`)
  }

  /** Parses what begins at `at`, and returns where it ends. Undefined if it is not complete. */
  #next(text: string, at: number): number | undefined {
    if (text[at] !== '<') {
      const end = text.indexOf('<', at)
      if (end < 0) return undefined
      this.#text(this.#decode(text.slice(at, end).replaceAll(/\r\n?/g, '\n')))
      return end
    }
    if (text[at + 1] === '!' || text[at + 1] === '?') return this.#other(text, at)
    tagPattern.lastIndex = at
    const [tag] = tagPattern.exec(text) ?? []
    if (tag === undefined) return undefined
    this.#tag(tag)
    return at + tag.length
  }

  /** A comment, a section or an instruction. */
  #other(text: string, at: number): number | undefined {
    const beginning = text.slice(at, at + 9)
    const found = others.find(([start]) => beginning.startsWith(start))
    if (!found) {
      if (others.some(([start]) => start.startsWith(beginning))) return undefined
      throw this.#damaged()
    }
    const [start, stop] = found
    const end = text.indexOf(stop, at + start.length)
    if (end < 0) return undefined
    if (start === '<![CDATA[') this.#text(text.slice(at + start.length, end))
    return end + stop.length
  }

  #text(text: string): void {
    if (this.#path.length > 0) this.#listener.text(text)
    else if (text.trim() !== '' && text !== '\ufeff') throw this.#damaged()
  }

  #tag(tag: string): void {
    const [, closed] = endPattern.exec(tag) ?? []
    if (closed !== undefined) {
      if (this.#path.pop() !== closed) throw this.#damaged()
      this.#listener.close(localName(closed))
      return
    }
    const [, opened, attributes, slash] = startPattern.exec(tag) ?? []
    if (opened === undefined || (this.#hasRoot && this.#path.length === 0)) throw this.#damaged()
    this.#hasRoot = true
    this.#listener.open(localName(opened), this.#attributes(attributes!))
    if (slash) this.#listener.close(localName(opened))
    else if (this.#path.push(opened) > maxDepth) throw this.#damaged()
  }

  #attributes(text: string): Attributes {
    const attributes: Partial<Record<string, string>> = {}
    for (const [, key, quoted] of text.matchAll(attributePattern))
      attributes[localName(key!)] = this.#decode(quoted!.slice(1, -1))
    return attributes
  }

  #decode(text: string): string {
    if (!text.includes('&')) return text
    return text.replaceAll(/&(?:#(\d+)|#x([\da-fA-F]+)|([a-z]+));|&/g, (_, decimal, hex, entity) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex as string, 16) : undefined
      const character = code === undefined ? entities[entity as string] : characterOf(code)
      if (character === undefined) throw this.#damaged()
      return character
    })
  }
}

const localName = (qualified: string) => qualified.slice(qualified.indexOf(':') + 1)

const characterOf = (code: number) =>
  code === 0 || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000) ? undefined : String.fromCodePoint(code)
