// Lists of 50 tasks, of projects that have a few more: as requests, and as the statement behind them.

import type { Params } from '../../src/db/query.ts'
import type { Headers } from '../../src/api/responses/response.ts'
import { pageQuery } from '../../src/api/lists/list.ts'
import { tasks } from '../../src/resources/tasks/list-tasks.ts'
import { api } from '../support/workgate.ts'
import type { Ask } from './bench-load.ts'

export const page = pageQuery(tasks)

/** What it takes for the first page, with a filter that lets all tasks pass. */
export const firstPage = (projectId: string): Params => ({
  ...Object.fromEntries(page.statement.names.map((name) => [name, null])),
  projectId,
  sort: '-createdAt',
  limit: 50,
  includeTags: false,
  includeWatchers: false,
  createdAfter: '2000-01-01',
})

/** Projects that are only read, and behind them those that are written as well. */
export const projectCount = 100
export const writtenCount = 25
export const pageProject = (n: number) => `00000000-0000-7000-8006-${String(n).padStart(12, '0')}`
const readProjects = Array.from({ length: projectCount }, (_, n) => pageProject(n + 1))
const writtenProjects = Array.from({ length: writtenCount }, (_, n) => pageProject(n + 1 + projectCount))

export const tasksOf = (projectId: string) => `${api}/projects/${projectId}/tasks`
const pageOf = (projectId: string, headers: Headers): Ask => ({ method: 'GET', path: tasksOf(projectId), headers })

/** The same list of each project. */
export const pages = (headers: Headers): Ask[] => readProjects.map((project) => pageOf(project, headers))

/** The first pages of the projects, over and over, each as nobody has asked for it before. */
export function newPages(headers: Headers, count = 10_000): Ask[] {
  return Array.from({ length: count }, (_, n) => neverAsked(tasksOf(readProjects[n % projectCount]!), headers))
}

let time = Date.UTC(2000, 0)

/** A list with a filter that lets all tasks pass, and is another one each time. */
export function neverAsked(path: string, headers: Headers): Ask {
  const createdAfter = new Date(time++).toISOString()
  return { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}createdAfter=${createdAfter}`, headers }
}

export const description = 'some words of description'

/** Nine lists and a new task, again and again, of so many projects: each is read and written as often as any other. */
export function mixed(headers: Headers, projects: number): Ask[] {
  const body = JSON.stringify({ title: 'Task word1', description })
  return Array.from({ length: 10 * projectCount }, (_, n) => {
    const project = writtenProjects[(Math.floor(n / 10) * 7 + (n % 10) * 23) % projects]!
    return n % 10 === 9 ? { method: 'POST', path: tasksOf(project), headers, body } : pageOf(project, headers)
  })
}

/** A script of pgbench that makes a task in any of the written projects. */
export const insertTask = `
\\set n random(${projectCount + 1}, ${projectCount + writtenCount})
insert into workgate.tasks (project_id, title, description)
values (('00000000-0000-7000-8006-' || lpad((:n)::text, 12, '0'))::uuid, 'Task word1', '${description}')`
