// The tasks of a project, or of all projects. The query of the address is that of the API.

import { useRef } from 'preact/hooks'
import type { Page, Task } from '../api/types.ts'
import { useNames, useProjectNames, type Names } from '../api/use-names.ts'
import { useRead } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { linkTo } from '../text/route.ts'
import { Chips } from './chips.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { filtersOf, sortsFor } from './filters.ts'
import { Search, SortSelect } from './search.tsx'
import { Rows } from './task-pages.tsx'
import { useRowKeys } from './use-row-keys.ts'

export function TaskList({ project, query }: { project: string | undefined; query: URLSearchParams }) {
  return project === undefined ? <TasksOfAll query={query} /> : <TasksOfProject project={project} query={query} />
}

function TasksOfAll({ query }: { query: URLSearchParams }) {
  return <Tasks project={undefined} query={query} names={useProjectNames()} />
}

function TasksOfProject({ project, query }: { project: string; query: URLSearchParams }) {
  return <Tasks project={project} query={query} names={useNames(project)} />
}

interface TasksProps {
  project: string | undefined
  query: URLSearchParams
  names: Names
}

function Tasks({ project, query, names }: TasksProps) {
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  useRowKeys(list, search)
  const path = pathOf(project, query)
  const read = useRead<Page<Task>>(path)
  const filters = filtersOf(query, names)
  const sort = query.get('sort') ?? '-createdAt'
  const sorts = sortsFor(project === undefined, sort)
  return (
    <>
      <h1 class="list-title">{project === undefined ? 'Tasks in all projects' : 'Tasks'}</h1>
      <div class="tools-row">
        <Search field={search} q={query.get('q') ?? ''} />
        <FilterMenu project={project} query={query} names={names} />
        <SortSelect sorts={sorts} current={sort} />
      </div>
      {query.has('q') && <p class="paper">Search: “{query.get('q')}”</p>}
      <Chips filters={filters} clearLink={clearLink(project, query)} />
      <div ref={list}>
        <Panel title={sorts.find(({ value }) => value === sort)!.title} read={read} lines={12} class="task-panel">
          {(page) =>
            page.data.length > 0 ? (
              <ol class={`task-lines ${project === undefined ? 'across' : ''}`} key={path}>
                <Rows path={path} page={page} names={names} isAcrossProjects={project === undefined} />
              </ol>
            ) : (
              <NoTasks project={project} isFiltered={filters.length > 0 || query.has('q')} query={query} />
            )
          }
        </Panel>
      </div>
    </>
  )
}

const placeOf = (project: string | undefined) => (project === undefined ? ['tasks'] : ['projects', project, 'tasks'])

const clearLink = (project: string | undefined, query: URLSearchParams) =>
  linkTo(placeOf(project), { sort: query.get('sort') ?? undefined })

function pathOf(project: string | undefined, query: URLSearchParams): string {
  const asked = new URLSearchParams(query)
  asked.delete('cursor')
  asked.set('limit', '50')
  if (!asked.has('include')) asked.set('include', 'tags')
  return `/${placeOf(project).map(encodeURIComponent).join('/')}?${asked}`
}

function NoTasks({ project, isFiltered, query }: Omit<TasksProps, 'names'> & { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <p>
        No task matches. <a href={clearLink(project, query)}>Clear the filters</a>
      </p>
    )
  return <p>{project === undefined ? 'There are no tasks yet.' : 'This project has no tasks yet.'}</p>
}
