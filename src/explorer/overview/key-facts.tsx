// Describes the key: its name, scope, operations and limits.

import type { Key } from '../api/types.ts'
import { count, formatAll, formatMoment, formatNumber } from '../text/format.ts'

const operationNames: Record<Key['operations'][number], string> = {
  create_project: 'create projects',
  create_task: 'create tasks',
  complete_task: 'complete tasks',
}

/** Takes its place before the key is known. */
export function KeyFacts({ apiKey }: { apiKey: Key | undefined }) {
  if (apiKey === undefined) return <p class="key-facts">&nbsp;</p>
  const { name, scopeMode, projectIds, operations, rateLimitPerMinute, expiresAt } = apiKey
  const can = ['read', ...operations.map((operation) => operationNames[operation])]
  const scope = scopeMode === 'all_projects' ? 'all projects' : count(projectIds!.length, 'project', 'projects')
  return (
    <p class="key-facts quiet">
      The key <strong>{name}</strong> can{' '}
      {operations.length === 0 ? `only read ${scope}` : `${formatAll(can)} in ${scope}`}
      {rateLimitPerMinute !== null && <>, with up to {formatNumber(rateLimitPerMinute)} requests per minute</>}.
      {expiresAt !== null && <> It expires on {formatMoment(expiresAt)}.</>}
    </p>
  )
}
