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

/** All blocks in one language, as one program. */
export const programIn = (markdown: string, language: string): string =>
  readCodeBlocks(markdown)
    .filter((block) => block.language === language && block.file === undefined)
    .map(({ code }) => `${code}\n`)
    .join('\n')

/** The text below a heading, up to the next heading of the same or a higher level. */
export function readChapter(markdown: string, heading: string): string {
  const level = /^#+/.exec(heading)![0].length
  const [, chapter] = markdown.split(`\n${heading}\n`)
  if (chapter === undefined) throw new Error(`no heading "${heading}"`)
  return chapter.split(new RegExp(`^#{1,${level}} `, 'm'))[0]!
}
