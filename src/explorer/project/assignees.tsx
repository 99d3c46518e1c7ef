// The open tasks of each person, and how many of them are overdue.

import type { ComponentChildren } from 'preact'
import type { Data, Overview } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { BarRow } from '../charts/bar-row.tsx'
import { FigureTable } from '../parts/figure-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { count, formatNumber } from '../text/format.ts'
import { linkTo } from '../text/route.ts'

type Counts = Overview['byAssignee']['items'][number]

const maxRows = 10

export function Assignees({ read, project }: { read: Read<Data<Overview>>; project: string }) {
  return (
    <Panel
      title="Open tasks by assignee"
      read={read}
      class="half"
      table={({ data }) => <AssigneeTable byAssignee={data.byAssignee} />}
    >
      {({ data }) => <AssigneeRows overview={data} project={project} />}
    </Panel>
  )
}

function AssigneeRows({ overview: { byAssignee, tasks }, project }: { overview: Overview; project: string }) {
  const busy = byAssignee.items.filter(({ open }) => open > 0).sort((a, b) => b.open - a.open)
  if (tasks.open === 0) return <p class="quiet">Nothing is open.</p>
  const shown = busy.slice(0, maxRows)
  const longest = Math.max(1, ...shown.map(({ open }) => open))
  const rest = tasks.open - shown.reduce((sum, { open }) => sum + open, 0)
  return (
    <>
      <ol class="bar-rows with-late">
        {shown.map((assignee) => (
          <AssigneeRow key={assignee.assigneeId} assignee={assignee} project={project} longest={longest} />
        ))}
      </ol>
      {rest > 0 && <p class="small quiet">Others have {count(rest, 'open task', 'open tasks')}.</p>}
    </>
  )
}

function AssigneeRow({ assignee, project, longest }: { assignee: Counts; project: string; longest: number }) {
  const { open, overdue } = assignee
  const assigneeId = assignee.assigneeId ?? 'none'
  const tasksLink = (query: Record<string, string>) => linkTo(['projects', project, 'tasks'], { assigneeId, ...query })
  return (
    <BarRow
      longest={longest}
      parts={[
        ['overdue', overdue],
        ['open', open - overdue],
      ]}
      name={
        <a href={tasksLink({ state: 'open' })}>
          <AssigneeName assignee={assignee} />
        </a>
      }
    >
      <span class="n">{formatNumber(open)}</span>
      <span class="n late">
        {overdue > 0 && <a href={tasksLink({ overdue: 'true', sort: 'dueDate' })}>{formatNumber(overdue)} late</a>}
      </span>
    </BarRow>
  )
}

const AssigneeName = ({ assignee: { name } }: { assignee: Counts }) =>
  name === null ? <>Nobody</> : <bdi title={name}>{name}</bdi>

function AssigneeTable({ byAssignee: { items, other } }: { byAssignee: Overview['byAssignee'] }) {
  return (
    <FigureTable texts={['Assignee']} numbers={['Open', 'Overdue', 'Done']}>
      {items.map((assignee) => (
        <AssigneeCells key={assignee.assigneeId} counts={assignee} name={<AssigneeName assignee={assignee} />} />
      ))}
      {other.assignees > 0 && <AssigneeCells counts={other} name={count(other.assignees, 'other', 'others')} />}
    </FigureTable>
  )
}

interface AssigneeCellsProps {
  counts: Pick<Counts, 'open' | 'overdue' | 'completed'>
  name: ComponentChildren
}

function AssigneeCells({ counts: { open, overdue, completed }, name }: AssigneeCellsProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="n">{formatNumber(open)}</td>
      <td class={`n ${overdue > 0 ? 'late' : ''}`}>{formatNumber(overdue)}</td>
      <td class="n">{formatNumber(completed)}</td>
    </tr>
  )
}
