// GET /projects/summary

import { choice, search } from '../lists/filters.ts'
import { listOf, ofAllInReach } from '../lists/list.ts'
import { projectStatuses } from '../values.ts'
import rows from '../../sql/projects/summary.sql'

export const summarizeProjects = listOf({
  rows,
  sorts: { lastActivityAt: 'moment', name: 'text' },
  defaultSort: '-lastActivityAt',
  filters: { status: choice(projectStatuses), q: search },
  beside: 'totals',
  scope: ofAllInReach,
})
