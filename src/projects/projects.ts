// GET /projects and GET /projects/:projectId

import { listOf, ofAllInReach, oneOf, type Resource } from '../lists/list.ts'
import { changed, choice, search } from '../lists/filters.ts'
import { projectStatuses } from '../values.ts'
import rows from '../../sql/projects/projects.sql'

const projects: Resource = {
  rows,
  sorts: { createdAt: 'moment', name: 'text', updatedAt: 'moment' },
  defaultSort: '-createdAt',
  filters: { status: choice(projectStatuses), q: search, ...changed },
  scope: (question) => ({ ...ofAllInReach(question), id: null }),
}

export const listProjects = listOf(projects)
export const showProject = oneOf(projects, 'project', 'projectId')
