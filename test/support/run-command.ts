// Runs a command as a function, on the database of a test file.

import type { CommandContext } from '../../src/commands/command-context.ts'
import { readConfig } from '../../src/config/config.ts'
import { commandContext } from './doctor.ts'

/** In the result, `ask` answers as somebody at a terminal does. */
export function commandRunner(command: (context: CommandContext) => Promise<void>, url: string) {
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  return async (args: string[], ask?: CommandContext['ask']) => {
    const printed: string[] = []
    const error = await command({ ...context, args, ask, print: (text) => void printed.push(text) }).then(
      () => undefined,
      (error: Error) => error,
    )
    return { out: printed.join('\n'), error: error?.message, errorName: error?.name }
  }
}
