// workgate unit: prints a systemd unit for the program as it was started, or a compose file.

import { UsageError, type CommandContext } from '../command-context.ts'
import { parseOptions } from '../parse-options.ts'
import compose from './compose.yaml'
import systemd from './workgate.service'

export const unitUsage = 'workgate unit systemd|compose'

export async function unit({ args, commandLine, log, print }: CommandContext): Promise<void> {
  const { positionals } = parseOptions(args, {}, unitUsage, true)
  switch (positionals.join(' ')) {
    case 'compose':
      return print(compose.trimEnd())
    case 'systemd':
      warnOfHomes(commandLine, log)
      return print(systemd.trimEnd().replace(/^ExecStart=.*$/m, () => `ExecStart=${commandLine.map(quote).join(' ')}`))
    default:
      throw new UsageError(`choose systemd or compose\n\n${unitUsage}`)
  }
}

/** The unit hides them with ProtectHome. */
function warnOfHomes(commandLine: readonly string[], log: CommandContext['log']) {
  const path = commandLine.find((word) => /^\/(home|root|run\/user)\//.test(word))
  if (path) log.warn('the service cannot read home folders; install the program elsewhere, such as in /opt', { path })
}

/** As systemd reads a word, in which % begins a specifier. */
const quote = (word: string) =>
  /^[\w@+=:,./-]+$/.test(word) ? word : `"${word.replaceAll('%', '%%').replace(/["\\]/g, '\\$&')}"`
