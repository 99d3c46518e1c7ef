// The comments on a task, and their files.

import type { Comment } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { useAll } from '../api/use-read.ts'
import { ExternalLink } from '../parts/external-link.ts'
import { FormattedText } from '../parts/formatted-text.ts'
import { Panel } from '../parts/panel.tsx'
import { formatBytes, formatMoment, formatNumber, formatWhen } from '../text/format.ts'
import { withQuery } from '../text/route.ts'

interface CommentsProps {
  project: string
  task: string
  names: Names
}

export function Comments({ project, task, names }: CommentsProps) {
  const path = `/projects/${encodeURIComponent(project)}/comments`
  const read = useAll<Comment>(withQuery(path, { taskId: task, sort: 'createdAt', include: 'files', limit: 200 }))
  return (
    <Panel title="Comments" read={read}>
      {({ data, meta }) => (
        <>
          {data.length === 0 && <p class="quiet">There are no comments.</p>}
          <ol class="comments">
            {data.map((comment) => (
              <CommentItem key={comment.id} comment={comment} names={names} />
            ))}
          </ol>
          {meta.hasMore && <p class="small quiet">These are the first {formatNumber(data.length)}.</p>}
        </>
      )}
    </Panel>
  )
}

function CommentItem({ comment, names }: { comment: Comment; names: Names }) {
  const { authorId, body, bodyFormat, createdAt, files = [] } = comment
  return (
    <li>
      <p class="by">
        <strong>{authorId === null ? 'Somebody' : <bdi>{names.person(authorId)}</bdi>}</strong>
        <time class="small quiet" dateTime={createdAt} title={formatMoment(createdAt)}>
          {formatWhen(createdAt)}
        </time>
      </p>
      <FormattedText text={body} format={bodyFormat} />
      {files.length > 0 && (
        <ul class="files small">
          {files.map(({ id, name, url, sizeBytes }) => (
            <li key={id}>
              <ExternalLink url={url}>
                <bdi>{name}</bdi>
              </ExternalLink>{' '}
              <span class="quiet">{formatBytes(sizeBytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
