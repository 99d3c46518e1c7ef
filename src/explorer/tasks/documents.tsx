// The documents of a task. Their markdown is not in the API.

import type { Data, WorkPacket } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import type { Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { count, formatMoment, formatWhen } from '../text/format.ts'

export function Documents({ read, names }: { read: Read<Data<WorkPacket>>; names: Names }) {
  return (
    <Panel title="Documents" read={read}>
      {({ data: { documents, documentsTruncated } }) => (
        <>
          <ul class="documents">
            {documents.map(({ id, title, path, wordCount, updatedAt, authorId }) => (
              <li key={id}>
                <bdi>{title}</bdi>
                <span class="small quiet">
                  <bdi>{path}</bdi>
                </span>
                <span class="small quiet">
                  {count(wordCount, 'word', 'words')}
                  {authorId !== null && (
                    <>
                      {' '}
                      · <bdi>{names.person(authorId)}</bdi>
                    </>
                  )}{' '}
                  · <time title={formatMoment(updatedAt)}>{formatWhen(updatedAt)}</time>
                </span>
              </li>
            ))}
          </ul>
          {documentsTruncated && <p class="small quiet">These are the last that changed.</p>}
        </>
      )}
    </Panel>
  )
}
