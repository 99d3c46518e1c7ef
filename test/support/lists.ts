// The lists of a project: every route below a project whose endpoint has a limit parameter.

import { routes } from '../../src/routes.ts'

export const projectLists = routes
  .filter(([, path, { query }]) => path.startsWith('/projects/:projectId/') && 'limit' in query.entries)
  .map(([, path, { docs }]) => ({ path, operationId: docs.operationId }))
