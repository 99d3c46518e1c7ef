// The open tasks in each stage.

import type { Data, Overview } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import type { Read } from '../api/use-read.ts'
import { BarRow } from '../charts/bar-row.tsx'
import { FigureTable } from '../parts/figure-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { formatNumber } from '../text/format.ts'
import { linkTo } from '../text/route.ts'

type StageCounts = Overview['byStage'][number]

interface StagesProps {
  read: Read<Data<Overview>>
  project: string
  names: Names
}

export function Stages({ read, project, names }: StagesProps) {
  return (
    <Panel
      title="Open tasks by stage"
      read={read}
      class="half"
      table={({ data }) => <StageTable stages={data.byStage} names={names} />}
    >
      {({ data }) => <StageRows stages={data.byStage.filter(({ open }) => open > 0)} project={project} names={names} />}
    </Panel>
  )
}

/** The boards are named if there are several. */
function StageRows({ stages, project, names }: { stages: StageCounts[]; project: string; names: Names }) {
  if (stages.length === 0) return <p class="quiet">Nothing is open.</p>
  const longest = Math.max(...stages.map(({ open }) => open))
  const boards = [...new Set(stages.map(({ boardId }) => boardId))]
  return (
    <>
      {boards.map((board) => (
        <div key={board} class="bar-group">
          {boards.length > 1 && (
            <h3 class="small quiet">{board === null ? 'No board' : <bdi>{names.board(board)}</bdi>}</h3>
          )}
          <ol class="bar-rows">
            {stages
              .filter(({ boardId }) => boardId === board)
              .map((stage) => (
                <StageRow key={stage.stageId} stage={stage} project={project} longest={longest} />
              ))}
          </ol>
        </div>
      ))}
    </>
  )
}

/** The API has no filter for tasks without a stage. */
function StageRow({ stage, project, longest }: { stage: StageCounts; project: string; longest: number }) {
  const { stageId, open } = stage
  const name = <StageName stage={stage} />
  return (
    <BarRow
      longest={longest}
      parts={[['open', open]]}
      name={
        stageId === null ? (
          name
        ) : (
          <a href={linkTo(['projects', project, 'tasks'], { stageId, state: 'open' })}>{name}</a>
        )
      }
    >
      <span class="n">{formatNumber(open)}</span>
    </BarRow>
  )
}

const StageName = ({ stage: { name } }: { stage: StageCounts }) =>
  name === null ? <>No stage</> : <bdi title={name}>{name}</bdi>

function StageTable({ stages, names }: { stages: StageCounts[]; names: Names }) {
  return (
    <FigureTable texts={['Stage', 'Board']} numbers={['Open', 'Done']}>
      {stages.map((stage) => (
        <tr key={stage.stageId}>
          <th scope="row">
            <StageName stage={stage} />
          </th>
          <td>{stage.boardId !== null && <bdi>{names.board(stage.boardId)}</bdi>}</td>
          <td class="n">{formatNumber(stage.open)}</td>
          <td class="n">{formatNumber(stage.completed)}</td>
        </tr>
      ))}
    </FigureTable>
  )
}
