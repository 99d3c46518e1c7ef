// GET /projects/summary

import { lines } from '../../api/endpoint.ts'
import { choice, moment, search } from '../../api/lists/filters.ts'
import { include } from '../../db/statements/template.ts'
import { listEndpoint } from '../../api/lists/list.ts'
import type { ListDefinition } from '../../api/lists/page-query.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { projectStatuses } from '../../api/input/values.ts'
import { projectSummary, summaryTotals } from './project-summary.ts'
import mergeSummaries from '../../../sql/projects/merge-summaries.sql'
import summaries from '../../../sql/projects/project-summaries.sql'
import inPlaceSql from '../../../sql/projects/summaries-in-place.sql'
import rows from '../../../sql/projects/summarize-projects.sql'

export const projectSummaries: ListDefinition = {
  of: 'projects',
  rows: include(rows, { summaries }),
  parts: { part: include(inPlaceSql, { summaries }), whole: include(rows, { summaries: mergeSummaries }) },
  item: projectSummary,
  id: 's.id',
  sorts: {
    lastActivityAt: ['s.last_activity_at', 'timestamptz'],
    name: ['lower(s.name) collate "C"', 'text'],
  },
  defaultSort: '-lastActivityAt',
  // Without filters, it reads all projects in any order. Planning that takes as long as running it.
  indexes: { lastActivityAt: [], name: [] },
  filters: {
    status: described(choice(projectStatuses), 'The status of the project.'),
    q: search,
    updatedAfter: described(moment, 'Projects whose `lastActivityAt` is at or after this time.'),
  },
  totals: summaryTotals,
}

export const summarizeProjects = listEndpoint(projectSummaries, {
  operationId: 'summarizeProjects',
  tag: 'Analytics',
  summary: 'Summarize projects',
  description: lines(
    'Returns the projects that the key can access with their figures, most recently active first. The figures are the',
    'same as in the overview of each project.',
    '',
    '`updatedAfter` selects the projects whose `lastActivityAt` is at or after a time. It misses deletions, and tasks that',
    'become overdue.',
    '',
    'In addition to `data` and `meta`, the response contains `totals`: the same figures over all projects that the key',
    'can access, regardless of the filters and the page.',
  ),
})
