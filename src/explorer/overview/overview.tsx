// All projects that the key can read, with their figures.

import { useEffect, useState } from 'preact/hooks'
import type { Page, ProjectSummary, SummaryTotals } from '../api/types.ts'
import { useAll } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { compareNames, count, formatNumber, formatProgress } from '../text/format.ts'
import { linkTo, withQuery, changeQuery } from '../text/route.ts'
import { NoProjects } from './no-projects.tsx'
import { ProjectRow } from './project-row.tsx'

type Summary = Page<ProjectSummary> & { totals: SummaryTotals }

/** Those without a due date come last. */
function compareDue(...projects: [ProjectSummary, ProjectSummary]): number {
  const [a, b] = projects.map(({ dueDate }) => dueDate ?? '~') as [string, string]
  return a < b ? -1 : Number(a > b)
}

const sorts: Record<string, { title: string; compare(a: ProjectSummary, b: ProjectSummary): number }> = {
  overdue: { title: 'Most overdue', compare: (a, b) => b.tasks.overdue - a.tasks.overdue || compareDue(a, b) },
  activity: { title: 'Last active', compare: (a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1) },
  due: { title: 'Due first', compare: compareDue },
  name: { title: 'Name', compare: (a, b) => compareNames(a.name, b.name) },
  open: { title: 'Most open', compare: (a, b) => b.tasks.open - a.tasks.open },
  progress: { title: 'Least progress', compare: (a, b) => (a.progress ?? 2) - (b.progress ?? 2) },
}

/** Archived and finished projects come after the others, except by name. */
const idleOf = ({ status, tasks }: ProjectSummary) => Number(status !== 'active' || tasks.open === 0)

export function Overview({ query }: { query: URLSearchParams }) {
  const q = query.get('q') ?? ''
  const sort = sorts[query.get('sort') ?? 'overdue'] ?? sorts['overdue']!
  const read = useAll<ProjectSummary>(withQuery('/projects/summary', { limit: 200, q }))
  const summary = read.body as Summary | undefined
  const only = summary && q === '' && summary.totals.projects === 1 ? summary.data[0] : undefined
  useEffect(() => {
    if (only) location.replace(linkTo(['projects', only.key]))
  }, [only])
  return (
    <>
      {summary && summary.totals.projects > 0 && <Totals totals={summary.totals} />}
      <Panel title="By project" read={read} lines={8}>
        {(body) => (
          <>
            <p class="paper">
              {sort.title}
              {q !== '' && `, search: “${q}”`}
            </p>
            {summary!.totals.projects > 0 && <Tools q={q} sort={query.get('sort') ?? 'overdue'} />}
            {body.data.length === 0 && (q === '' ? <NoProjects /> : <p>No project matches “{q}”.</p>)}
            {body.data.length > 0 && (
              <Table
                projects={[...body.data].sort(
                  (a, b) => (sort === sorts['name'] ? 0 : idleOf(a) - idleOf(b)) || sort.compare(a, b),
                )}
              />
            )}
            {body.meta.hasMore && (
              <p class="small quiet">
                The {count(body.data.length, 'project', 'projects')} that were active last.{' '}
                <span class="screen">Search for the others.</span>
              </p>
            )}
          </>
        )}
      </Panel>
    </>
  )
}

function Totals({ totals: { projects, tasks, progress } }: { totals: SummaryTotals }) {
  return (
    <dl class="figures">
      <div>
        <dt>Projects</dt>
        <dd>{formatNumber(projects)}</dd>
      </div>
      <div>
        <dt>Open tasks</dt>
        <dd>
          <a href={linkTo(['tasks'], { state: 'open' })}>{formatNumber(tasks.open)}</a>
        </dd>
      </div>
      <div>
        <dt>Completed</dt>
        <dd>
          <a href={linkTo(['tasks'], { state: 'completed' })}>{formatNumber(tasks.completed)}</a>
          {progress !== null && <small> {formatProgress(progress)} of all</small>}
        </dd>
      </div>
      <div class={tasks.overdue > 0 ? 'late' : ''}>
        <dt>Overdue</dt>
        <dd>
          <a href={linkTo(['tasks'], { overdue: 'true', sort: 'dueDate' })}>{formatNumber(tasks.overdue)}</a>
        </dd>
      </div>
    </dl>
  )
}

function Tools({ q, sort }: { q: string; sort: string }) {
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  function search(event: Event) {
    event.preventDefault()
    changeQuery({ q: text.trim() })
  }
  return (
    <form class="tools-row" role="search" onSubmit={search}>
      <input
        type="search"
        class="search-field"
        aria-label="Search projects"
        placeholder="Search projects"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={search}
      />
      <label>
        <span class="hidden">Order</span>
        <select value={sort} onChange={(event) => changeQuery({ sort: event.currentTarget.value })}>
          {Object.entries(sorts).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </form>
  )
}

function Table({ projects }: { projects: ProjectSummary[] }) {
  return (
    <table class="projects">
      <thead>
        <tr>
          <th>Project</th>
          <th>Progress</th>
          <th class="n">Open</th>
          <th class="n">Done</th>
          <th class="n">Overdue</th>
          <th class="n wide">This month</th>
          <th class="wide">Completed in 8 weeks</th>
          <th class="wide">Last activity</th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <ProjectRow key={project.projectId} project={project} />
        ))}
      </tbody>
    </table>
  )
}
