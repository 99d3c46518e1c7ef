// Defines the response schema of projects.

import * as v from 'valibot'
import { projectKeyPattern } from '../../api/input/object-names.ts'
import { day, described, id, moment, named, ordinal, text } from '../../api/responses/response-schemas.ts'
import { projectStatuses } from '../../api/input/values.ts'

export const projectKey = described(
  v.pipe(v.string(), v.regex(projectKeyPattern)),
  'The short name of the project, unique among all projects. You can use it instead of `id` in paths.',
)
export const projectName = text(1, 200)
export const projectStatus = described(v.picklist(projectStatuses), 'Writes to an archived project fail with 409.')

export const project = named('Project', 'A project.', {
  id,
  key: projectKey,
  name: projectName,
  description: v.nullable(text(0, 20_000)),
  status: projectStatus,
  ownerId: described(v.nullable(id), 'The user responsible for the project.'),
  startDate: v.nullable(day),
  dueDate: v.nullable(day),
  createdAt: moment,
  updatedAt: moment,
  version: described(ordinal, 'Incremented by every change to the fields of the project itself.'),
})
