// Reads the code blocks of Markdown, which tests run as printed.

export interface CodeBlock {
  language: string
  /** The file to save the block as, from `file=` after the language. */
  file: string | undefined
  code: string
}

export function readCodeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^ *```(\w+)(?: file=(\S+))?\n([^]*?)^ *```$/gm)].map(([, language, file, code]) => ({
    language: language!,
    file,
    code: code!.trimEnd(),
  }))
}

/** The text below a heading, up to the next heading of the same or a higher level. */
export function readChapter(markdown: string, heading: string): string {
  const level = /^#+/.exec(heading)![0].length
  const [, chapter] = markdown.split(`\n${heading}\n`)
  if (chapter === undefined) throw new Error(`no heading "${heading}"`)
  return chapter.split(new RegExp(`^#{1,${level}} `, 'm'))[0]!
}
