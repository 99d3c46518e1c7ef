// workgate help: lists the commands, and every setting with its default.

import { describeSettings } from '../config/config.ts'
import type { CommandContext } from './command-context.ts'
import { demoUsage } from './demo/demo.ts'
import { doctorUsage } from './doctor/doctor.ts'
import { keysUsage } from './keys.ts'

export const usage = `workgate [serve]      run the service
workgate migrate      apply pending migrations
workgate health       check that the service at HOST and PORT responds
workgate grants       print SQL that creates a role with the privileges that the service needs
workgate version      print the version
workgate help         print this text and all settings

${keysUsage}

${demoUsage}
  fill an empty database with realistic data

${doctorUsage}
  check the installation; --repair fixes triggers and tallies`

export async function help({ print }: Pick<CommandContext, 'print'>): Promise<void> {
  print(helpText())
}

export function helpText(): string {
  const settings = describeSettings().map(
    ({ name, fallback, meaning }) => `  ${name.padEnd(22)} ${meaning}${fallback === '' ? '' : ` [${fallback}]`}`,
  )
  return `Workgate: a key-authenticated HTTP API over project data.

${usage}

Settings are environment variables. To read a setting from a file, set NAME_FILE to the path of the file.
${settings.join('\n')}`
}
