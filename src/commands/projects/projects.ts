// workgate projects list|show|archive|unarchive|rename|due|delete: shows and changes projects.

import type { CommandContext } from '../command-context.ts'
import { runAction } from '../run-action.ts'
import { archive, due, rename, unarchive } from './change-project.ts'
import { deleteProject } from './delete-project.ts'
import { list } from './list-projects.ts'
import { show } from './show-project.ts'
import { projectsUsage } from './usages.ts'

const actions = { list, show, archive, unarchive, rename, due, delete: deleteProject }

export const projects = (context: CommandContext) => runAction('projects', actions, projectsUsage, context)
