// workgate fields list|add|remove: declares the own fields of tasks.

import type { CommandContext } from '../command-context.ts'
import { runAction } from '../run-action.ts'
import { add } from './add-field.ts'
import { list } from './list-fields.ts'
import { remove } from './remove-field.ts'
import { fieldsUsage } from './usages.ts'

export const fields = (context: CommandContext) => runAction('fields', { list, add, remove }, fieldsUsage, context)
