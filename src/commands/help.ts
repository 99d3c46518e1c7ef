// workgate help: lists the commands, and every setting with its default.

import { describeSettings } from '../config/config.ts'
import type { CommandContext } from './command-context.ts'
import { demoUsage } from './demo/demo.ts'
import { doctorUsage } from './doctor/doctor.ts'
import { keysUsage } from './keys.ts'

export async function help({ print }: Pick<CommandContext, 'print'>): Promise<void> {
  const settings = describeSettings().map(
    ({ name, fallback, meaning }) => `  ${name.padEnd(22)} ${meaning}${fallback === '' ? '' : ` [${fallback}]`}`,
  )
  print(`Workgate: a key-authenticated HTTP API over project data.

workgate [serve]      run the service
workgate migrate      bring the database's schema up
workgate health       whether the service with these settings answers
workgate grants       print the SQL that makes a role for the service with the rights that it needs
workgate version
workgate help

${keysUsage}

${demoUsage}
  fills an empty database with believable data

${doctorUsage}
  looks whether all is as the service needs it, and says what to do; puts triggers and tallies right if told to

Settings come from the environment; each may be given as NAME_FILE instead, the path of a file that holds it.
${settings.join('\n')}`)
}
