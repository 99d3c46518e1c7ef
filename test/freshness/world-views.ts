// Reads register values from the responses about all projects, and about projects that are created and deleted.

import { bareId, doneTask, projectIds, transientIds, someProjectIds } from './ids.ts'
import { limitFrom } from './key-kinds.ts'
import { unknown } from './registers.ts'
import { byId, ifPresent, inRow, presenceOf, numberIn, secondsOf, initialTasks } from './shown.ts'
import type { ViewOf } from './views.ts'
import type { World } from './register-world.ts'

const [, second] = projectIds as [string, string]

export const worldViews: Record<string, (world: World) => ViewOf[]> = {
  '/key': ({ register }) => [
    {
      path: '/key',
      key: 'limited',
      shows: [[register('key limited'), ({ data }) => data.rateLimitPerMinute - limitFrom]],
    },
    {
      path: '/key',
      key: 'rescoped',
      shows: [[register('key rescoped'), ({ data }) => presenceOf(data.projectIds.length === 2)]],
    },
    { path: '/key', key: 'creating', shows: [[register('key creating'), ({ data }) => data.projectIds.length - 1]] },
    ...(['revoked', 'expiring', 'deleted'] as const).map((key) => ({
      path: '/key',
      key,
      shows: [],
      refusals: [[401, register(`key ${key}`)] as const],
    })),
  ],

  '/projects': ({ register }) => [
    {
      path: '/projects?sort=createdAt',
      shows: projectIds.map((id) => [register('name', id), ({ data }) => numberIn(byId(data, id).name)]),
    },
    {
      path: '/projects',
      key: 'some',
      shows: someProjectIds.map((id) => [register('name', id), ({ data }) => numberIn(byId(data, id).name)]),
    },
    {
      path: '/projects?q=bare',
      shows: [[register('bare project', bareId), ({ data }) => presenceOf(data[0])]],
    },
    {
      path: '/projects?q=transient&sort=createdAt',
      shows: transientIds.map((id) => [register('transient', id), ({ data }) => inRow(byId(data, id), 'name')]),
    },
    {
      path: '/projects',
      key: 'rescoped',
      shows: [
        [register('key rescoped'), ({ data }) => presenceOf(data.length === 2)],
        [register('name', second), ({ data }) => (data.length === 2 ? numberIn(byId(data, second).name) : unknown)],
      ],
    },
    {
      path: '/projects?limit=200',
      key: 'creating',
      shows: [[register('key creating'), ({ data }) => data.length - 1]],
    },
  ],

  '/projects/summary': (world) => [
    { path: '/projects/summary?q=project', key: 'some', shows: someProjectIds.flatMap((id) => inSummary(world, id)) },
    {
      path: '/projects/summary?q=project&sort=name&limit=200',
      shows: projectIds.flatMap((id) => inSummary(world, id)),
    },
    {
      path: '/projects/summary',
      key: 'rescoped',
      shows: [[world.register('key rescoped'), ({ totals }) => presenceOf(totals.projects === 2)]],
    },
    {
      path: '/projects/summary?limit=1',
      key: 'creating',
      shows: [[world.register('key creating'), ({ totals }) => totals.projects - 1]],
    },
  ],

  '/tasks': (world) => [
    {
      path: '/tasks?number=1,3&limit=200',
      shows: [
        ...projectIds.flatMap((id) => inTasks(world, id)),
        ...transientIds.map(
          (id) => [world.register('transient', id), ({ data }: any) => inRow(byId(data, id), 'title')] as const,
        ),
      ],
    },
    {
      path: '/tasks?sort=createdAt&limit=200&include=tags',
      key: 'some',
      shows: someProjectIds.flatMap((id) => inTasks(world, id)),
    },
    {
      path: '/tasks?q=task&sort=createdAt&limit=200',
      shows: projectIds.map((id) => [world.register('title', id), ({ data }) => numberIn(byId(data, id).title)]),
    },
    { path: `/tasks?projectId=${second}&number=1,3&sort=updatedAt`, shows: inTasks(world, second) },
    {
      path: '/tasks?sort=createdAt&limit=200',
      key: 'rescoped',
      shows: [
        [world.register('key rescoped'), ({ data }) => presenceOf(byId(data, second))],
        [world.register('title', second), ({ data }) => ifPresent(byId(data, second), ({ title }) => numberIn(title))],
      ],
    },
  ],

  '/time-entries': ({ register }) => [
    {
      path: '/time-entries?limit=200',
      shows: projectIds.map((id) => [register('entry', id), ({ data }) => inRow(byId(data, id), 'description')]),
    },
    {
      path: '/time-entries?limit=200&sort=updatedAt',
      key: 'some',
      shows: someProjectIds.map((id) => [register('entry', id), ({ data }) => inRow(byId(data, id), 'description')]),
    },
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
