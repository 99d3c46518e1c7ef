// The tasks of each type: how many are done, and how many are open.

import type { ComponentChildren } from 'preact'
import type { Data, Overview } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { BarRow } from '../charts/bar-row.tsx'
import { FigureTable } from '../parts/figure-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { count, formatNumber } from '../text/format.ts'
import { linkTo } from '../text/route.ts'

type Counts = Overview['byType']['items'][number]

const maxRows = 10

export function Types({ read, project }: { read: Read<Data<Overview>>; project: string }) {
  return (
    <Panel title="Tasks by type" read={read} class="half" table={({ data }) => <TypeTable byType={data.byType} />}>
      {({ data }) => <TypeRows overview={data} project={project} />}
    </Panel>
  )
}

const sizeOf = ({ open, completed }: Pick<Counts, 'open' | 'completed'>): number => open + completed

function TypeRows({ overview: { byType, tasks }, project }: { overview: Overview; project: string }) {
  const shown = byType.items.filter((type) => sizeOf(type) > 0).slice(0, maxRows)
  const longest = Math.max(...shown.map(sizeOf))
  const rest = sizeOf(tasks) - shown.reduce((sum, type) => sum + sizeOf(type), 0)
  return (
    <>
      <ol class="bar-rows">
        {shown.map((counts) => (
          <TypeRow key={counts.type} counts={counts} project={project} longest={longest} />
        ))}
      </ol>
      {rest > 0 && <p class="small quiet">{count(rest, 'task has another type.', 'tasks have other types.')}</p>}
    </>
  )
}

function TypeRow({ counts, project, longest }: { counts: Counts; project: string; longest: number }) {
  const { type, open, completed } = counts
  return (
    <BarRow
      longest={longest}
      parts={[
        ['completed', completed],
        ['todo', open],
      ]}
      name={
        <a href={linkTo(['projects', project, 'tasks'], { type: type ?? 'none', state: 'open,completed' })}>
          <TypeName type={type} />
        </a>
      }
    >
      <span class="n">
        {formatNumber(completed)} of {formatNumber(sizeOf(counts))} done
      </span>
    </BarRow>
  )
}

const TypeName = ({ type }: Pick<Counts, 'type'>) => (type === null ? <>No type</> : <bdi title={type}>{type}</bdi>)

function TypeTable({ byType: { items, other } }: { byType: Overview['byType'] }) {
  return (
    <FigureTable texts={['Type']} numbers={['Open', 'Done']}>
      {items.map((counts) => (
        <TypeCells key={counts.type} counts={counts} name={<TypeName type={counts.type} />} />
      ))}
      {other.types > 0 && <TypeCells counts={other} name={count(other.types, 'other', 'others')} />}
    </FigureTable>
  )
}

interface TypeCellsProps {
  counts: Pick<Counts, 'open' | 'completed'>
  name: ComponentChildren
}

function TypeCells({ counts: { open, completed }, name }: TypeCellsProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="n">{formatNumber(open)}</td>
      <td class="n">{formatNumber(completed)}</td>
    </tr>
  )
}
