// Defines the response schemas of GET /projects/summary: the figures of each project, and the totals.

import * as v from 'valibot'
import { lastActivityAt, lastActivityText, share, timeSums, taskCounts } from '../analytics/figures.ts'
import { count, described, id, moment, named } from '../../api/schema/response-schemas.ts'
import { projectKey, projectName, projectStatus } from './project.ts'

const progress = share('Completed tasks of those that are open or completed')

export const projectSummary = named('ProjectSummary', 'A project in figures.', {
  projectId: id,
  key: projectKey,
  name: projectName,
  status: projectStatus,
  tasks: taskCounts,
  progress,
  time: timeSums,
  lastActivityAt,
})

export const summaryTotals = named('SummaryTotals', 'All projects that the key reaches, in figures.', {
  projects: described(count, 'How many projects the key reaches.'),
  tasks: taskCounts,
  progress,
  time: timeSums,
  lastActivityAt: described(v.nullable(moment), `${lastActivityText} \`null\` where the key reaches no project.`),
})
