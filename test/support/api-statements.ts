// The statements of the API, and others that include fragments, by their files in sql/, and the parameters that a request
// sets.

import * as v from 'valibot'
import { filterParams, type FilterValue } from '../../src/api/lists/filters.ts'
import { maxPageBytes, pageQueries, type ListDefinition, type Page } from '../../src/api/lists/page-query.ts'
import { linesOfExport, sheetOfExport } from '../../src/commands/export.ts'
import { findVersions } from '../../src/api/freshness/freshness.ts'
import { writeQuery } from '../../src/api/writes/write.ts'
import { query, type Query } from '../../src/db/statements/query.ts'
import type { Params } from '../../src/db/statements/template.ts'
import { findOverview } from '../../src/resources/analytics/get-overview.ts'
import { findProgress } from '../../src/resources/analytics/get-progress.ts'
import { findTime } from '../../src/resources/analytics/get-time-report.ts'
import { findChanges, findEntries, findObjects, mergeChanges } from '../../src/resources/changes/change-statements.ts'
import { createProjectSql } from '../../src/resources/projects/create-project.ts'
import { completeTaskSql } from '../../src/resources/tasks/complete-task.ts'
import { createTaskSql } from '../../src/resources/tasks/create-task.ts'
import { findDeletion } from '../../src/resources/tasks/deletion.ts'
import { packetQuery } from '../../src/resources/work-packets/packet.ts'
import { verifyTask } from '../../src/resources/work-packets/verify-work-packet.ts'
import { verifyTasks } from '../../src/resources/work-packets/verify-work-packets.ts'
import { routes } from '../../src/routes.ts'

/** The lists of all routes. */
export const lists = routes.flatMap(([, path, endpoint]) =>
  'list' in endpoint ? [{ path, list: endpoint.list as ListDefinition }] : [],
)

/** Other statements that include fragments. */
export const composed: Readonly<Record<string, Query<any>>> = {
  'analytics/overview.sql': findOverview,
  'analytics/progress.sql': findProgress,
  'analytics/time-by-bucket.sql': findTime.day,
  'analytics/time-by-task.sql': findTime.task,
  'analytics/time-by-user.sql': findTime.user,
  'changes/journal-entries.sql': findEntries,
  'changes/list-changes.sql': findChanges,
  'changes/merge-changes.sql': mergeChanges,
  'changes/objects-in-place.sql': findObjects,
  'export/lines.sql': query(linesOfExport),
  'export/sheet.sql': query(sheetOfExport),
  'freshness/versions.sql': findVersions,
  'projects/create-project.sql': writeQuery(createProjectSql),
  'tasks/complete-task.sql': writeQuery(completeTaskSql),
  'tasks/create-task.sql': writeQuery(createTaskSql),
  'tasks/find-deletion.sql': findDeletion,
  'work-packets/packet.sql': packetQuery,
  'work-packets/verify-task.sql': verifyTask,
  'work-packets/verify-tasks.sql': verifyTasks,
}

/** The statement of a page, and its parameters from the query parameters of a request; by default, of the first page. */
export function pageOf(list: ListDefinition, { sort = list.defaultSort, ...given }: Params): [Query<Page>, Params] {
  const isFilter = (name: string) => name in list.filters && name !== 'projectId'
  const requested = Object.entries(given).filter(([name]) => isFilter(name))
  const others = Object.entries(given).filter(([name]) => !isFilter(name))
  const { projectId: _, ...filters } = v.parse(
    v.object(list.filters),
    Object.fromEntries(requested.map(([name, value]) => [name, name === 'fields' ? value : String(value)])),
  ) as Record<string, FilterValue>
  const params = { limit: 50, maxBytes: maxPageBytes, ...filterParams(filters), ...Object.fromEntries(others) }
  return [pageQueries(list)(sort as string | null), params]
}
