// workgate help: lists the commands, and every setting with its default; COMMAND --help: the usage of one command.

import { describeSettings } from '../config/config.ts'
import { backupUsage } from './backup/backup.ts'
import { restoreUsage } from './backup/restore.ts'
import { UsageError } from './command-context.ts'
import { demoUsage } from './demo/demo.ts'
import { distributeUsage } from './distribute/distribute.ts'
import { doctorUsage } from './doctor/doctor.ts'
import { exportUsage } from './export.ts'
import { fieldsUsage, fieldsUsages } from './fields/usages.ts'
import { importUsage } from './import/options.ts'
import { importsUsage, importsUsages } from './imports/usages.ts'
import { keysUsage, keysUsages } from './keys.ts'
import { sqlUsage } from './sql/sql.ts'
import { suggestCommand } from './parse-options.ts'
import { peopleUsage, peopleUsages } from './people/usages.ts'
import { projectsUsage, projectsUsages } from './projects/usages.ts'
import { unitUsage } from './unit/unit.ts'

/** Commands without arguments, except for help. */
const descriptions: Readonly<Record<string, string>> = {
  serve: 'run the service',
  migrate: 'apply pending migrations',
  health: 'check that the service at HOST and PORT responds',
  grants: 'print SQL that creates a role with the privileges that the service needs',
  version: 'print the version',
  help: 'print this text and all settings',
}

const usages: Readonly<Record<string, string>> = {
  keys: keysUsage,
  projects: `${projectsUsage}\n  list the projects, show, archive or rename one, change its due date, or delete it with everything in it`,
  fields: `${fieldsUsage}\n  list the own fields of tasks, declare one, or take a declaration back`,
  people: `${peopleUsage}\n  list the users, or only those who are probably one person, and merge them`,
  import: `${importUsage}\n  bring projects up to date with a file that another tool exported`,
  imports: `${importsUsage}\n  list the last imports, or take one back`,
  export: `${exportUsage}\n  write projects as JSON Lines, or the tasks of one as CSV; import reads both`,
  backup: `${backupUsage}\n  save the database in a file, also while the service is running`,
  restore: `${restoreUsage}\n  fill an empty database with a backup`,
  distribute: `${distributeUsage}\n  distribute the projects over the nodes of a Citus cluster, or prepare a new node`,
  sql: `${sqlUsage}\n  run SQL on the database of the service; without FILE, from standard input`,
  demo: `${demoUsage}\n  fill an empty database with realistic data`,
  doctor: `${doctorUsage}\n  check the installation; --repair fixes triggers and tallies, and removes orphans after asking`,
  unit: `${unitUsage}\n  print a systemd unit or a compose file that runs the service`,
}

const usagesByAction: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  keys: keysUsages,
  imports: importsUsages,
  projects: projectsUsages,
  fields: fieldsUsages,
  people: peopleUsages,
}

const commandNames: readonly string[] = [...Object.keys(descriptions), ...Object.keys(usages)]

/** Returns whether the command takes neither options nor other arguments. */
export const takesNoArguments = (name: string) => Object.hasOwn(descriptions, name)

const synopsis = (name: string) => `workgate ${name === 'serve' ? '[serve]' : name}`

export const usage = [
  Object.entries(descriptions)
    .map(([name, description]) => `${synopsis(name).padEnd(21)} ${description}`)
    .join('\n'),
  ...Object.values(usages),
  'COMMAND --help prints the usage of a command.',
].join('\n\n')

export function helpText([name, action]: readonly string[] = []): string {
  if (name === undefined || name === 'help')
    return `Workgate: a key-authenticated HTTP API over project data.\n\n${usage}\n\n${settingsText()}`
  if (!commandNames.includes(name)) throw unknownCommand(name)
  return `${usageOf(name, action)}\n\n${name === 'serve' ? settingsText() : 'Settings are environment variables: see "workgate help".'}`
}

export function unknownCommand(word: string): UsageError {
  // The value after = may be a secret.
  const [name] = word.split('=') as [string]
  if (name.startsWith('-')) return new UsageError(`unknown option ${name}${suggestSetting(name)}; see "workgate help"`)
  // A long word may be a key, and one with other characters an address with a password.
  const shown = /^[\w-]{1,30}$/.test(word) ? ` "${word}"` : ''
  return new UsageError(`unknown command${shown}${suggestCommand(word, commandNames) || '; see "workgate help"'}`)
}

export function unexpectedArguments(name: string, args: readonly string[]): UsageError {
  return new UsageError(`${name} takes no arguments${suggestSetting(args[0]!)}; see "workgate help"`)
}

/** For --port 8080, suggests PORT. */
function suggestSetting(argument: string): string {
  const name = argument.replace(/^-+|=.*$/g, '').toUpperCase().replaceAll('-', '_') // prettier-ignore
  const setting = describeSettings().find((one) => one.name === name)
  return `: settings are environment variables${setting ? `, so set ${name}` : ''}`
}

function usageOf(name: string, action: string | undefined): string {
  const ofActions = usagesByAction[name] ?? {}
  if (action !== undefined && Object.hasOwn(ofActions, action)) return ofActions[action]!
  return usages[name] ?? `${synopsis(name)}\n  ${descriptions[name]}`
}

function settingsText(): string {
  const settings = describeSettings().map(
    ({ name, fallback, meaning }) => `  ${name.padEnd(22)} ${meaning}${fallback === '' ? '' : ` [${fallback}]`}`,
  )
  return `Settings are environment variables. To read a setting from a file, set NAME_FILE to the path of the file.\n${settings.join('\n')}`
}
