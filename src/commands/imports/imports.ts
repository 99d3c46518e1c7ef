// workgate imports list|undo: lists the last imports, and takes one back.

import type { CommandContext } from '../command-context.ts'
import { runAction } from '../run-action.ts'
import { list } from './list-imports.ts'
import { undo } from './undo.ts'
import { importsUsage } from './usages.ts'

export const imports = (context: CommandContext) => runAction('imports', { list, undo }, importsUsage, context)
