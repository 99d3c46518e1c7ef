// GET /projects and GET /projects/:projectId

import { lines } from '../../api/endpoint.ts'
import { include } from '../../db/statements/template.ts'
import { listEndpoint, itemEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { timeFilters, choice, search } from '../../api/lists/filters.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { projectStatuses } from '../../api/input/values.ts'
import { project } from './project.ts'
import rows from '../../../sql/projects/list-projects.sql'
import projectFields from '../../../sql/projects/project-fields.sql'

export const projects: ListDefinition = {
  of: 'projects',
  rows: include(rows, { projectFields }),
  item: project,
  id: 'p.id',
  sorts: {
    createdAt: ['p.created_at', 'timestamptz'],
    name: ['lower(p.name) collate "C"', 'text'],
    updatedAt: ['p.updated_at', 'timestamptz'],
  },
  defaultSort: '-createdAt',
  filters: {
    status: described(choice(projectStatuses), 'The status of the project.'),
    q: search,
    ...timeFilters,
  },
  indexes: { createdAt: [], name: [], updatedAt: [] },
}

export const listProjects = listEndpoint(projects, {
  operationId: 'listProjects',
  tag: 'Projects',
  summary: 'List projects',
  description: lines(
    'Returns the projects that the key can access, including archived ones, newest first. `q` searches the keys, names',
    'and descriptions of projects.',
  ),
})

export const getProject = itemEndpoint(projects, 'project', 'projectId', {
  operationId: 'getProject',
  tag: 'Projects',
  summary: 'Get a project',
  description: lines(
    'Returns one project.',
    '',
    'A key for selected projects gets 403 for any other project, whether or not it exists. A key for all projects gets',
    '404 if the project does not exist.',
  ),
})
