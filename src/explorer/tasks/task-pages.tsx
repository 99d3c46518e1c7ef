// The rows of a list, page by page. A page is read when the end of the page before it comes near the screen.

import { useContext, useRef, useState } from 'preact/hooks'
import type { Page, Task } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { ClientContext, useRead, withCursor } from '../api/use-read.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { useSeen } from '../parts/use-seen.ts'
import { WantedRows } from '../print/use-print.ts'
import { formatNumber } from '../text/format.ts'
import { TaskRow } from './task-row.tsx'

interface ListProps {
  /** The path of the first page. */
  path: string
  names: Names
  isAcrossProjects: boolean
  /** The number of rows before these. */
  before?: number
}

export function Rows({ page, before = 0, ...list }: ListProps & { page: Page<Task> }) {
  const { nextCursor } = page.meta
  return (
    <>
      {page.data.map((task) => (
        <TaskRow key={task.id} task={task} names={list.names} isAcrossProjects={list.isAcrossProjects} />
      ))}
      {nextCursor !== null && <NextPage key="next" cursor={nextCursor} before={before + page.data.length} {...list} />}
    </>
  )
}

type NextPageProps = ListProps & { cursor: string; before: number }

function NextPage(props: NextPageProps) {
  const client = useContext(ClientContext)
  // A page that was read before belongs to a list that is opened again.
  const [isKnown] = useState(() => client.known(withCursor(props.path, props.cursor)) !== undefined)
  const isWanted = props.before < useContext(WantedRows)
  const [end, isSeen] = useSeen<HTMLLIElement>('1000px', isKnown || isWanted)
  if (isSeen) return <ReadPage {...props} />
  return (
    <li ref={end} class="end">
      <MissingRows before={props.before} />
    </li>
  )
}

const MissingRows = ({ before }: { before: number }) => (
  <p class="paper">The first {formatNumber(before)} rows. More rows are not loaded.</p>
)

function ReadPage({ cursor, ...list }: NextPageProps) {
  const { body, problem } = useRead<Page<Task>>(withCursor(list.path, cursor))
  // The cursor changes when the page before this one does. The rows stay until the new ones arrive.
  const last = useRef<Page<Task>>(undefined)
  if (body !== undefined) last.current = body
  return (
    <>
      {problem && (
        <li class="end">
          <ProblemNotice problem={problem} />
          {last.current === undefined && <MissingRows before={list.before} />}
        </li>
      )}
      {last.current && <Rows page={last.current} {...list} />}
      {last.current === undefined && !problem && (
        <li class="end">
          <Skeleton lines={6} />
          <MissingRows before={list.before} />
        </li>
      )}
    </>
  )
}
