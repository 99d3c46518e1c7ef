// Finds the scope whose version confirms a response: its project, or all projects.

import { isUuid } from '../schema/values.ts'
import { everyProject } from './freshness.ts'

export function versionScopeOf(projectId: string | null): string {
  return projectId !== null && isUuid(projectId) ? projectId : everyProject
}
