// GET /projects/summary

import { lines } from '../../api/endpoint.ts'
import { choice, search } from '../../api/lists/filters.ts'
import { listEndpoint, type Resource } from '../../api/lists/list.ts'
import { projectStatuses } from '../../api/schema/values.ts'
import { projectSummary, summaryTotals } from './project-summary.ts'
import rows from '../../../sql/projects/summarize-projects.sql'

export const projectSummaries: Resource = {
  rows,
  item: projectSummary,
  id: 's.id',
  sorts: {
    lastActivityAt: ['s.last_activity_at', 'timestamptz'],
    name: ['lower(s.name) collate "C"', 'text'],
  },
  defaultSort: '-lastActivityAt',
  filters: { status: choice(projectStatuses), q: search },
  totals: summaryTotals,
  scope: 'reachable projects',
}

export const summarizeProjects = listEndpoint(projectSummaries, {
  operationId: 'summarizeProjects',
  tag: 'Analytics',
  summary: 'Summarize projects',
  description: lines(
    'The projects that the key reaches with their figures, the one in which something happened last first.',
    'The figures are those of the overview of each project.',
    '',
    'Beside `data` and `meta` there is `totals`: the same figures over all projects that the key reaches, whatever',
    'the filters and the page.',
  ),
})
