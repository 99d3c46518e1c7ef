// Which project a path is about, and whether the key reaches it. Decided before anything is said about the path:
// a selected_projects key learns nothing about projects that are not its own. And which writes the key was granted.

import { everyProject } from '../freshness/freshness.ts'
import { Problem } from '../problems/problem.ts'
import { isUuid } from '../schema/values.ts'
import { reaches, type Key, type Operation } from './key.ts'

/** About all projects that the key reaches, and no project's id, though it stands in the place of one. */
const overProjects = /^\/projects\/summary\/*$/

/** What stands in the place of a project's id in a path below the API's, or null where the path is about none. */
export function projectIn(path: string): string | null {
  const [, segment] = /^\/projects\/([^/]+)/.exec(path) ?? []
  return segment === undefined || overProjects.test(path) ? null : segment.toLowerCase()
}

/** What the answer to a path rests on. */
export function scopeOf(project: string | null): string {
  return project !== null && isUuid(project) ? project : everyProject
}

export const outOfScope = 'The project is outside of the scope of the API key.'

export function checkScope(key: Key, project: string | null): void {
  if (project === null) return
  if (!reaches(key, project)) {
    throw new Problem('ACCESS_DENIED', outOfScope)
  }
  if (!isUuid(project)) throw new Problem('NOT_FOUND', 'There is no such project.')
}

export function checkGrant(key: Key, operation: Operation | undefined): void {
  if (operation === undefined || key.operations.includes(operation)) return
  throw new Problem('OPERATION_DENIED', `The API key was not granted the operation ${operation}.`)
}
