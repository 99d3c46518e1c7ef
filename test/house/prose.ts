// Finds the sentences that people read in a file: comments, strings with spaces, and the text of Markdown.

export interface Sentence {
  line: number
  text: string
}

const comment: Readonly<Record<string, RegExp>> = {
  sql: /^\s*--\s?(.*)$/,
  py: /^\s*#\s?(.*)$/,
  run: /^\s*#\s?(.*)$/,
}
const codeComment = /^\s*(?:\/\/|\/\*\*?|\*)\s?(.*?)(?:\*\/)?$/
const trailingComment = /\s(?:\/\/|--)\s(.*)$/
const string = /(['"`])((?:(?!\1)[^\\]|\\.)*?\s(?:(?!\1)[^\\]|\\.)*)\1/g

export function sentencesIn(file: string, text: string): Sentence[] {
  const ending = /[^./]+$/.exec(file)![0]
  return ending === 'md' ? sentencesInMarkdown(text) : sentencesInCode(text, comment[ending] ?? codeComment)
}

function sentencesInCode(text: string, pattern: RegExp): Sentence[] {
  const paragraphs = new Paragraphs()
  for (const [index, line] of text.split('\n').entries()) {
    const comment = pattern.exec(line)?.[1]
    if (comment !== undefined) {
      paragraphs.add(index + 1, comment)
      continue
    }
    paragraphs.end()
    const trailing = trailingComment.exec(line)?.[1]
    if (trailing) paragraphs.add(index + 1, trailing)
    for (const [, , content] of line.matchAll(string)) {
      paragraphs.end()
      paragraphs.add(index + 1, content!)
    }
    paragraphs.end()
  }
  return paragraphs.sentences()
}

function sentencesInMarkdown(text: string): Sentence[] {
  const paragraphs = new Paragraphs()
  let isCode = false
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode
    else if (!isCode) {
      if (!line.trim() || /^\s*([-*#>|]|\d+\.)/.test(line)) paragraphs.end()
      for (const cell of line.replace(/^\s*([-*#>]+|\d+\.)\s/, '').split('|')) {
        paragraphs.add(index + 1, cell)
        if (line.startsWith('|')) paragraphs.end()
      }
    }
  }
  return paragraphs.sentences()
}

/** Joins the lines of each paragraph, and splits paragraphs into sentences. */
class Paragraphs {
  readonly #paragraphs: Sentence[] = []
  #isOpen = false

  add(line: number, text: string): void {
    if (!text.trim()) return this.end()
    if (this.#isOpen) this.#paragraphs.at(-1)!.text += ` ${text.trim()}`
    else this.#paragraphs.push({ line, text: text.trim() })
    this.#isOpen = true
  }

  end(): void {
    this.#isOpen = false
  }

  sentences(): Sentence[] {
    return this.#paragraphs.flatMap(({ line, text }) =>
      text.split(/(?<=[.:;!])\s+(?=[A-Z`])/).map((sentence) => ({ line, text: sentence })),
    )
  }
}
