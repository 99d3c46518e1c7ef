// Explains how to get projects, if there are none.

import type { Data, Key } from '../api/types.ts'
import { useRead } from '../api/use-read.ts'

export function NoProjects() {
  const { body } = useRead<Data<Key>>('/key')
  if (body === undefined) return null
  if (body.data.scopeMode === 'selected_projects')
    return (
      <p>
        This key can access no project yet. <a href="docs/keys">Keys</a> explains how to add one.
      </p>
    )
  return (
    <div class="empty">
      <p>There are no projects yet.</p>
      <dl>
        <dt>Import your projects</dt>
        <dd>
          <code>workgate import issues.json --project WEB</code> reads the exports of GitHub, GitLab, Jira, Linear,
          Trello and others. See <a href="docs/bring-your-data">Bring your data</a>.
        </dd>
        <dt>Look at examples</dt>
        <dd>
          <code>workgate demo</code> fills the empty database with twelve projects of a company that does not exist.
        </dd>
      </dl>
    </div>
  )
}
