// A project: whether it is late, and why.

import type { Data, Overview, Page, Progress, Project, Task, TimeReport } from '../api/types.ts'
import { useNames, type Names } from '../api/use-names.ts'
import { useRead, type Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { useKept } from '../parts/use-kept.ts'
import { withQuery } from '../text/route.ts'
import { Assignees } from './assignees.tsx'
import { BurnUp } from './burn-up.tsx'
import { Flow } from './flow.tsx'
import { Head } from './head.tsx'
import { PeopleHours } from './people-hours.tsx'
import { LeadTime } from './lead-time.tsx'
import { OverdueTasks } from './overdue-tasks.tsx'
import { RangeControls } from './range-controls.tsx'
import { rangeOf, type Range } from './range.ts'
import { countedTypes, hasTypes, selectionOf, type Selection } from './selection.ts'
import { Stages } from './stages.tsx'
import { Types } from './types.tsx'
import { WeekHours } from './week-hours.tsx'

export function ProjectView({ project: name, query }: { project: string; query: URLSearchParams }) {
  const range = rangeOf(query)
  const selection = selectionOf(query)
  const project = useRead<Data<Project>>(pathIn(name))
  const overview = useRead<Data<Overview>>(`${pathIn(name)}/analytics/overview`)
  const names = useNames(name)
  const { from, to, timezone } = range
  const { measure, leftOut } = selection
  const leaveOutType = leftOut.join(',')
  const read = useRead<Data<Progress>>(
    withQuery(`${pathIn(name)}/analytics/progress`, { from, to, interval: 'week', timezone, measure, leaveOutType }),
  )
  // The figures that are kept stay those without the types that were left out then.
  const progress = useKept({ ...read, body: read.body && { ...read.body, leftOut } })
  if (project.body === undefined)
    return (
      <>
        <h1 class="hidden">{name}</h1>
        <Panel title="Project" read={project} lines={10}>
          {() => null}
        </Panel>
      </>
    )
  const figures = overview.body?.data
  return (
    <article class="project">
      <Head
        project={project.body.data}
        names={names}
        overview={figures}
        progress={progress.body?.data}
        leftOut={progress.body?.leftOut ?? leftOut}
      />
      {figures?.tasks.total !== 0 && (
        <Panels
          project={project.body.data}
          names={names}
          range={range}
          selection={selection}
          overview={overview}
          progress={progress}
        />
      )}
    </article>
  )
}

const pathIn = (project: string) => `/projects/${encodeURIComponent(project)}`

interface PanelsProps {
  project: Project
  names: Names
  range: Range
  selection: Selection
  overview: Read<Data<Overview>>
  progress: Read<Data<Progress>>
}

function Panels({ project, names, range, selection, overview, progress }: PanelsProps) {
  const { key } = project
  const { from, to } = range
  const path = pathIn(key)
  const weeks = useKept(useRead<Data<TimeReport>>(withQuery(`${path}/analytics/time`, { from, to, groupBy: 'week' })))
  const people = useKept(useRead<Data<TimeReport>>(withQuery(`${path}/analytics/time`, { from, to, groupBy: 'user' })))
  const overdue = useRead<Page<Task>>(withQuery(`${path}/tasks`, { overdue: 'true', sort: 'dueDate', limit: 5 }))
  // The first panel tells why the figures could not be read again.
  const knownProgress = { ...progress, problem: undefined }
  const knownOverview = { ...overview, problem: undefined }
  const isKnown = progress.body !== undefined || progress.problem === undefined
  const figures = overview.body?.data
  const types = countedTypes(figures?.byType, selection)
  const isOpen = figures?.tasks.open !== 0
  return (
    <>
      <RangeControls range={range} selection={selection} overview={figures} />
      <div class="panels">
        <BurnUp read={progress} dueDate={project.dueDate} />
        {isKnown && <LeadTime read={knownProgress} project={key} types={types} />}
        {isKnown && <Flow read={knownProgress} project={key} types={types} />}
        <OverdueTasks read={overdue} project={key} count={figures?.tasks.overdue} names={names} />
        {isOpen && <Stages read={overview} project={key} names={names} />}
        {isOpen && figures && <Assignees read={knownOverview} project={key} />}
        {figures && hasTypes(figures.byType) && <Types read={knownOverview} project={key} />}
        <WeekHours read={weeks} />
        {people.body?.data.totals.entries !== 0 && <PeopleHours read={people} />}
      </div>
    </>
  )
}
