// Checks what a key may do. Scope is checked before anything about a path is revealed: a selected_projects key learns
// nothing about projects outside its selection.

import { Problem } from '../problems/problem.ts'
import { isUuid } from '../input/values.ts'
import type { Key, Operation } from './key.ts'

export const outOfScope = 'The project is outside the scope of the API key.'

export function checkScope(key: Key, project: string | null): void {
  if (project === null) return
  if (!key.canReach(project)) {
    throw new Problem('ACCESS_DENIED', outOfScope)
  }
  if (!isUuid(project)) throw new Problem('NOT_FOUND', 'No such project.')
}

export function checkOperation(key: Key, operation: Operation | undefined): void {
  if (operation === undefined || key.operations.includes(operation)) return
  throw new Problem('OPERATION_DENIED', `The API key was not granted the operation ${operation}.`)
}
