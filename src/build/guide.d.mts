export interface GuideParts {
  title: string
  /** One sentence. */
  summary: string
  /** HTML. */
  article: string
  sections: { id: string; title: string }[]
}

export function compileGuide(
  markdown: string,
  readFile?: (path: string, encoding?: 'utf8' | 'base64') => string,
): GuideParts
