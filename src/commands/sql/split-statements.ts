// Splits a file of SQL into statements. The server would run the whole text as one transaction, and could not say in which
// line a statement failed.

export interface ScriptStatement {
  text: string
  /** The line where it begins. */
  line: number
}

/** Semicolons in texts, quoted names, comments, brackets and the bodies of functions end no statement. */
const token =
  /--[^\n]*|\/\*|\b[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[^]*?\$\1\$|[A-Za-z_][\w$]*|[;()]|[^]/g

export function splitStatements(script: string): ScriptStatement[] {
  const statements: ScriptStatement[] = []
  /** Where the first token is that is neither space nor a comment. */
  let first: number | undefined
  let brackets = 0
  /** The number of blocks begun by "begin atomic" or, within one, by "case". */
  let blocks = 0
  let previous = ''
  let line = 1
  let counted = 0

  function end(at: number) {
    if (first === undefined) return
    line += lineAt(script.slice(counted, first), first) - 1
    counted = first
    statements.push({ text: script.slice(first, at), line })
    first = undefined
    brackets = 0
    blocks = 0
  }

  token.lastIndex = 0
  for (let found; (found = token.exec(script));) {
    const [text] = found
    if (text.startsWith('--') || /^\s/.test(text)) continue
    if (text === '/*') {
      token.lastIndex = endOfComment(script, found.index)
      continue
    }
    if (text === ';' && brackets === 0 && blocks === 0) {
      end(found.index)
      continue
    }
    first ??= found.index
    const word = text.toLowerCase()
    if (text === '(') brackets++
    if (text === ')') brackets--
    if ((word === 'atomic' && previous === 'begin') || (word === 'case' && blocks > 0)) blocks++
    if (word === 'end' && blocks > 0) blocks--
    previous = word
  }
  end(script.length)
  return statements
}

/** Comments can be nested. */
function endOfComment(script: string, start: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let depth = 0
  for (let found; (found = mark.exec(script));) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return script.length
}

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length
