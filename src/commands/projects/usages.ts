// The usages of workgate projects, and how its arguments are read.

import { projectKeyPattern, projectKeyRule } from '../../api/input/object-names.ts'
import { UsageError } from '../command-context.ts'
import { parseOptions, type OptionTypes } from '../parse-options.ts'

/** By action. */
export const projectsUsages = {
  list: 'workgate projects [list] [--json]',
  show: 'workgate projects show KEY [--json]',
  archive: 'workgate projects archive KEY',
  unarchive: 'workgate projects unarchive KEY',
  rename: 'workgate projects rename KEY [NAME] [--key NEW]',
  due: 'workgate projects due KEY DATE|none',
  delete: 'workgate projects delete KEY [--yes]',
} as const

export const projectsUsage = Object.values(projectsUsages).join('\n')

/** Reads KEY, up to one further argument, and the options of an action. */
export function parseKeyAndOptions<const T extends OptionTypes>(
  action: keyof typeof projectsUsages,
  args: readonly string[],
  options: T,
  maxFurther = 0,
) {
  const usage = projectsUsages[action]
  const { values, positionals } = parseOptions(args, options, usage, true)
  const [key, further] = positionals
  if (key === undefined) throw new UsageError(`missing KEY\n\n${usage}`)
  const extra = positionals[1 + maxFurther]
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${usage}`)
  return { key: readKey('KEY', key), further, values }
}

/** Keys are upper case, in whatever case they are typed. */
export function readKey(name: string, text: string): string {
  const key = text.toUpperCase()
  if (!projectKeyPattern.test(key)) throw new UsageError(`${name} ${projectKeyRule}, not "${text}"`)
  return key
}

export const unknownProject = (key: string) =>
  new UsageError(`no project has the key ${key}: "workgate projects" lists them`)
