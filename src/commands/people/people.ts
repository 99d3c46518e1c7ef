// workgate people list|merge: shows the users, and makes one of several that are the same person.

import type { CommandContext } from '../command-context.ts'
import { runAction } from '../run-action.ts'
import { list } from './list-people.ts'
import { merge } from './merge-people.ts'
import { peopleUsage } from './usages.ts'

export const people = (context: CommandContext) => runAction('people', { list, merge }, peopleUsage, context)
