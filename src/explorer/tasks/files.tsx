// The files of a task itself. Those of comments are beside their text.

import type { TaskFile } from '../api/types.ts'
import { useAll } from '../api/use-read.ts'
import { ExternalLink } from '../parts/external-link.ts'
import { Panel } from '../parts/panel.tsx'
import { formatBytes, formatMoment, formatNumber, formatWhen } from '../text/format.ts'
import { withQuery } from '../text/route.ts'

export function Files({ project, task }: { project: string; task: string }) {
  const path = `/projects/${encodeURIComponent(project)}/files`
  const read = useAll<TaskFile>(withQuery(path, { taskId: task, commentId: 'none', limit: 200 }))
  if (read.body?.data.length === 0) return null
  return (
    <Panel title="Files" read={read}>
      {({ data, meta }) => (
        <>
          <ul class="documents">
            {data.map(({ id, name, url, sizeBytes, createdAt }) => (
              <li key={id}>
                <ExternalLink url={url}>
                  <bdi>{name}</bdi>
                </ExternalLink>
                <span class="small quiet">
                  {sizeBytes !== null && `${formatBytes(sizeBytes)} · `}
                  <time title={formatMoment(createdAt)}>{formatWhen(createdAt)}</time>
                </span>
              </li>
            ))}
          </ul>
          {meta.hasMore && <p class="small quiet">These are the last {formatNumber(data.length)}.</p>}
        </>
      )}
    </Panel>
  )
}
