// Reads register values from the responses about all projects, and about projects that are created and deleted.

import { bareId, doneTask, projectIds, transientIds, someProjectIds } from './ids.ts'
import { limitFrom } from './kinds.ts'
import { unknown } from './registers.ts'
import { byId, ifPresent, inRow, presenceOf, numberIn, secondsOf, initialTasks, view, viewAs } from './shown.ts'
import type { ViewOf } from './views.ts'
import type { World } from './register-world.ts'

const [, second] = projectIds as [string, string]

export const worldViews: Record<string, (world: World) => ViewOf[]> = {
  '/key': ({ register }) => [
    viewAs('limited', '/key', [[register('key limited'), ({ data }) => data.rateLimitPerMinute - limitFrom]]),
    viewAs('rescoped', '/key', [[register('key rescoped'), ({ data }) => presenceOf(data.projectIds.length === 2)]]),
    viewAs('creating', '/key', [[register('key creating'), ({ data }) => data.projectIds.length - 1]]),
    ...(['revoked', 'expiring', 'deleted'] as const).map((key) => ({
      path: '/key',
      key,
      shows: [],
      refusals: [[401, register(`key ${key}`)] as const],
    })),
  ],

  '/projects': ({ register }) => [
    view(
      '/projects?sort=createdAt',
      projectIds.map((id) => [register('name', id), ({ data }) => numberIn(byId(data, id).name)]),
    ),
    viewAs(
      'some',
      '/projects',
      someProjectIds.map((id) => [register('name', id), ({ data }) => numberIn(byId(data, id).name)]),
    ),
    view('/projects?q=bare', [[register('bare project', bareId), ({ data }) => presenceOf(data[0])]]),
    view(
      '/projects?q=transient&sort=createdAt',
      transientIds.map((id) => [register('transient', id), ({ data }) => inRow(byId(data, id), 'name')]),
    ),
    viewAs('rescoped', '/projects', [
      [register('key rescoped'), ({ data }) => presenceOf(data.length === 2)],
      [register('name', second), ({ data }) => (data.length === 2 ? numberIn(byId(data, second).name) : unknown)],
    ]),
    viewAs('creating', '/projects?limit=200', [[register('key creating'), ({ data }) => data.length - 1]]),
  ],

  '/projects/summary': (world) => [
    viewAs(
      'some',
      '/projects/summary?q=project',
      someProjectIds.flatMap((id) => inSummary(world, id)),
    ),
    view(
      '/projects/summary?q=project&sort=name&limit=200',
      projectIds.flatMap((id) => inSummary(world, id)),
    ),
    viewAs('rescoped', '/projects/summary', [
      [world.register('key rescoped'), ({ totals }) => presenceOf(totals.projects === 2)],
    ]),
    viewAs('creating', '/projects/summary?limit=1', [
      [world.register('key creating'), ({ totals }) => totals.projects - 1],
    ]),
  ],

  '/tasks': (world) => [
    view('/tasks?number=1,3&limit=200', [
      ...projectIds.flatMap((id) => inTasks(world, id)),
      ...transientIds.map(
        (id) => [world.register('transient', id), ({ data }: any) => inRow(byId(data, id), 'title')] as const,
      ),
    ]),
    viewAs(
      'some',
      '/tasks?sort=createdAt&limit=200&include=tags',
      someProjectIds.flatMap((id) => inTasks(world, id)),
    ),
    view(
      '/tasks?q=task&sort=createdAt&limit=200',
      projectIds.map((id) => [world.register('title', id), ({ data }) => numberIn(byId(data, id).title)]),
    ),
    view(`/tasks?projectId=${second}&number=1,3&sort=updatedAt`, inTasks(world, second)),
    viewAs('rescoped', '/tasks?sort=createdAt&limit=200', [
      [world.register('key rescoped'), ({ data }) => presenceOf(byId(data, second))],
      [world.register('title', second), ({ data }) => ifPresent(byId(data, second), ({ title }) => numberIn(title))],
    ]),
  ],

  '/changes': ({ register }) => [
    view(
      '/changes?kinds=project&limit=1000',
      projectIds.map((id) => [register('name', id), ({ data }) => numberIn(byId(data, id).object.name)]),
    ),
    viewAs(
      'some',
      '/changes?kinds=task&limit=1000',
      someProjectIds.map((id) => [register('title', id), ({ data }) => numberIn(byId(data, id).object.title)]),
    ),
    viewAs('rescoped', '/changes?kinds=project', [
      [register('key rescoped'), ({ data }) => presenceOf(byId(data, second))],
    ]),
  ],

  '/time-entries': ({ register }) => [
    view(
      '/time-entries?limit=200',
      projectIds.map((id) => [register('entry', id), ({ data }) => inRow(byId(data, id), 'description')]),
    ),
    viewAs(
      'some',
      '/time-entries?limit=200&sort=updatedAt',
      someProjectIds.map((id) => [register('entry', id), ({ data }) => inRow(byId(data, id), 'description')]),
    ),
  ],
}

function inTasks({ register }: World, id: string): ViewOf['shows'] {
  return [
    [register('title', id), ({ data }) => numberIn(byId(data, id).title)],
    [register('done', id), ({ data }) => presenceOf(byId(data, doneTask(id)).state === 'open')],
  ]
}

function inSummary({ register }: World, id: string): ViewOf['shows'] {
  const row = ({ data }: any) => data.find(({ projectId }: any) => projectId === id)
  return [
    [register('name', id), (body) => numberIn(row(body).name)],
    [register('made', id), (body) => row(body).tasks.total - initialTasks],
    [register('done', id), (body) => presenceOf(row(body).tasks.completed === 0)],
    [register('entry', id), (body) => secondsOf(row(body).time.totalSeconds)],
  ]
}

/** Views of a project that is created and deleted repeatedly. */
export const transientViews: Record<string, (id: string) => [path: string, read?: (body: any) => number]> = {
  '/projects/:projectId': (id) => [`/projects/${id}`, ({ data }) => numberIn(data.name)],
  '/projects/:projectId/users': (id) => [`/projects/${id}/users`],
  '/projects/:projectId/teams': (id) => [`/projects/${id}/teams`],
  '/projects/:projectId/boards': (id) => [`/projects/${id}/boards`],
  '/projects/:projectId/stages': (id) => [`/projects/${id}/stages`],
  '/projects/:projectId/tasks': (id) => [`/projects/${id}/tasks`, ({ data }) => numberIn(data[0].title)],
  '/projects/:projectId/tasks/:taskId': (id) => [`/projects/${id}/tasks/${id}`, ({ data }) => numberIn(data.title)],
  '/projects/:projectId/tasks/:taskId/work-packet': (id) => [
    `/projects/${id}/tasks/${id}/work-packet`,
    ({ data }) => numberIn(data.task.title),
  ],
  '/projects/:projectId/comments': (id) => [`/projects/${id}/comments`, ({ data }) => numberIn(data[0].body)],
  '/projects/:projectId/comments/:commentId': (id) => [
    `/projects/${id}/comments/${id}`,
    ({ data }) => numberIn(data.body),
  ],
  '/projects/:projectId/analytics/overview': (id) => [`/projects/${id}/analytics/overview`],
}
