// Describes the command line that started the program, so that messages can suggest commands that work when they are
// typed as printed.

import { relative } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

export interface Invocation {
  kind: 'node' | 'deno' | 'executable'
  /** The path of the program: of the executable as typed, or of the artifact. */
  path: string
  folder: string
  environment: Environment
  /** Set if this is the main process of a container: commands are typed outside. */
  container: Container | undefined
}

export interface Container {
  engine: 'docker' | 'podman' | undefined
  /** By default, the id of the container. */
  hostname: string
}

export function describeProgram({ kind, path, folder, environment, container }: Invocation): string {
  const start = { node: 'node ', deno: 'deno run … ', executable: '' }[kind]
  const program = start + quote(kind === 'executable' ? path : shortest(folder, path))
  if (!container) return databaseSettings(environment) + program
  // Every command in the container has the same environment.
  const { engine, hostname } = container
  const name = /^[0-9a-f]{12}$/.test(hostname) ? hostname : '…'
  return engine ? `${engine} exec ${name} ${program}` : program
}

/** The relative path, unless it leads out of the folder. */
function shortest(folder: string, path: string): string {
  const relativePath = relative(folder, path)
  return relativePath.startsWith('..') ? path : relativePath
}

/** The settings that choose the database: without them, a command would use another one. */
function databaseSettings(environment: Environment): string {
  const name = ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR', 'DATA_DIR_FILE'].find((one) => environment[one])
  if (name === undefined) return ''
  // The URL may contain a password.
  return `${name}=${name === 'DATABASE_URL' ? '…' : quote(environment[name]!)} `
}

/** As a shell reads it. */
export const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The commands that a message may suggest. */
const suggestion =
  /\bworkgate (?=\[serve\]|(?:serve|migrate|keys|projects|fields|people|import|imports|export|backup|restore|distribute|sql|demo|doctor|health|grants|unit|version|help)\b)/g

/** In messages, `workgate` stands for the command line of the program, as in the guides. */
export function asTyped(text: string, program: string): string {
  return text.replaceAll(suggestion, () => `${program} `)
}
