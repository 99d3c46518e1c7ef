// Lists of 50 tasks, in projects that have a few more: the requests, and the statement that serves them.

import type { Params } from '../../src/db/statements/template.ts'
import type { Headers } from '../../src/api/responses/response.ts'
import { maxPageBytes, pageQueries } from '../../src/api/lists/page-query.ts'
import { tasks, tasksAcrossProjects } from '../../src/resources/tasks/list-tasks.ts'
import { api } from '../support/workgate.ts'
import type { BenchRequest } from './bench-load.ts'

export const pageBy = pageQueries(tasks)
export const page = pageBy('-createdAt')

/** The parameters of the first page, with a filter that matches all tasks. */
export const firstPage = (projectId: string): Params => ({
  projectId,
  limit: 50,
  maxBytes: maxPageBytes,
  createdAfter: '2000-01-01',
})

export const pageAcrossProjects = pageQueries(tasksAcrossProjects)('-createdAt')

/** The same page of the list across all projects. */
export const firstPageAcrossProjects: Params = {
  allProjects: true,
  firstRows: 8,
  limit: 50,
  maxBytes: maxPageBytes,
  createdAfter: '2000-01-01',
}

/** The first projects are only read, the ones after them are also written. */
export const projectCount = 100
export const writtenCount = 32
export const pageProject = (n: number) => `00000000-0000-7000-8006-${String(n).padStart(12, '0')}`
const readProjects = Array.from({ length: projectCount }, (_, n) => pageProject(n + 1))
export const writtenProjects = Array.from({ length: writtenCount }, (_, n) => pageProject(n + 1 + projectCount))

export const tasksOf = (projectId: string) => `${api}/projects/${projectId}/tasks`
const pageOf = (projectId: string, headers: Headers): BenchRequest => ({
  method: 'GET',
  path: tasksOf(projectId),
  headers,
})

/** One list request per project. */
export const pages = (headers: Headers): BenchRequest[] => readProjects.map((project) => pageOf(project, headers))

/** First pages of the projects in turn. Every request is different, so none is in the response cache. */
export function newPages(headers: Headers, count = 10_000): BenchRequest[] {
  return Array.from({ length: count }, (_, n) => uniqueRequest(tasksOf(readProjects[n % projectCount]!), headers))
}

let time = Date.UTC(2000, 0)

/** A time before all tasks, different each time. */
export const uniqueTime = () => new Date(time++).toISOString()

/** A list with a filter that matches all tasks and is different each time. */
export function uniqueRequest(path: string, headers: Headers): BenchRequest {
  return { method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}createdAfter=${uniqueTime()}`, headers }
}

export const description = 'some words of description'

/** Nine lists and one new task, repeatedly, spread evenly over this number of projects. */
export function mixed(headers: Headers, projects: number): BenchRequest[] {
  const body = JSON.stringify({ title: 'Task word1', description })
  return Array.from({ length: 10 * projectCount }, (_, n) => {
    const project = writtenProjects[(Math.floor(n / 10) * 7 + (n % 10) * 23) % projects]!
    return n % 10 === 9 ? { method: 'POST', path: tasksOf(project), headers, body } : pageOf(project, headers)
  })
}

/** A pgbench script that creates a task in a random written project. */
export const insertTask = `
\\set n random(${projectCount + 1}, ${projectCount + writtenCount})
insert into workgate.tasks (project_id, title, description)
values (('00000000-0000-7000-8006-' || lpad((:n)::text, 12, '0'))::uuid, 'Task word1', '${description}')`
