// Parses the options of a command. A wrong option is a usage error that suggests the most similar one.

import { parseArgs, type ParseArgsConfig } from 'node:util'
import { findNearest } from '../api/input/unknown-names.ts'
import { UsageError } from './command-context.ts'

export type OptionTypes = NonNullable<ParseArgsConfig['options']>

export function parseOptions<const T extends OptionTypes>(
  given: readonly string[],
  options: T,
  usage: string,
  allowPositionals = false,
) {
  const args = [...given]
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw new UsageError(
        `unknown option ${token.rawName}${suggestOption(token.name, Object.keys(options))}\n\n${usage}`,
      )
  }
  try {
    return parseArgs({ args, options, allowPositionals })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Parses the arguments of a command whose only one is a file; - is a standard stream. */
export function parseFile(args: readonly string[], usage: string): string {
  const [path, extra] = parseOptions(args, {}, usage, true).positionals
  if (path === undefined) throw new UsageError(`missing FILE\n\n${usage}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${usage}`)
  return path
}

function suggestOption(name: string, names: readonly string[]): string {
  const nearest = names.find((one) => one.startsWith(name)) ?? findNearest(name, names)
  return nearest === undefined ? '' : `; did you mean --${nearest}?`
}

export function suggestCommand(name: string, names: readonly string[]): string {
  const nearest = findNearest(name, names)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
