// Defines the response schemas of GET /projects/summary: the figures of each project, and the totals.

import * as v from 'valibot'
import { lastActivityAt, lastActivityText, progress, timeSums, taskCounts } from '../analytics/figures.ts'
import { count, day, described, id, moment, named } from '../../api/responses/response-schemas.ts'
import { projectKey, projectName, projectStatus } from './project.ts'

export const projectSummary = named('ProjectSummary', 'The figures of a project.', {
  projectId: id,
  key: projectKey,
  name: projectName,
  status: projectStatus,
  dueDate: v.nullable(day),
  tasks: taskCounts,
  progress,
  time: timeSums,
  lastActivityAt,
})

export const summaryTotals = named('SummaryTotals', 'The figures of all projects that the key can access.', {
  projects: described(count, 'The number of projects that the key can access.'),
  tasks: taskCounts,
  progress,
  time: timeSums,
  lastActivityAt: described(v.nullable(moment), `${lastActivityText} \`null\` if the key can access no project.`),
})
