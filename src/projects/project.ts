// A project, as answers show one.

import * as v from 'valibot'
import { day, described, id, moment, named, ordinal, text } from '../shown.ts'
import { projectStatuses } from '../values.ts'

export const projectKey = described(
  'The short name that people use, unique over all projects.',
  v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9]{1,9}$/)),
)
export const projectName = text(1, 200)
export const projectStatus = described('Nothing is written into an archived project.', v.picklist(projectStatuses))

export const project = named('Project', 'A project.', {
  id,
  key: projectKey,
  name: projectName,
  description: v.nullable(text(0, 20_000)),
  status: projectStatus,
  ownerId: described('The user who answers for the project.', v.nullable(id)),
  startDate: v.nullable(day),
  dueDate: v.nullable(day),
  createdAt: moment,
  updatedAt: moment,
  version: described('Counts the changes of what is shown here.', ordinal),
})
