// Reads register values from the responses to requests with names instead of ids. Two projects swap the keys HERE and
// AWAY; the first task of a project has the id of the project.

import { awayId, hereId, transientIds, transientKey } from './ids.ts'
import { unknown, type Register } from './registers.ts'
import { numberIn, presenceOf, view } from './shown.ts'
import type { ViewOf } from './views.ts'
import type { World } from './register-world.ts'

const inHere = `/projects/${hereId}`

export const nameViews: Record<string, (world: World) => ViewOf[]> = {
  '/projects/:projectId': (world) => [
    view(
      '/projects/HERE',
      ofHolder(world, 'name', ({ data }) => [data.id, data.name]),
    ),
    view('/projects/AWAY', [[swapped(world), ({ data }) => presenceOf(data.id === awayId)]]),
    view(inHere, [[swapped(world), ({ data }) => presenceOf(data.key === 'HERE')]]),
    { path: '/projects/HERE', key: 'creating', shows: [], refusals: [[403, swapped(world)]] },
    ...ofTransients(world, '', ({ data }) => data.name),
  ],
  '/projects/:projectId/boards': (world) => [
    view(
      '/projects/HERE/boards',
      ofHolder(world, 'board', ({ data }) => [data[0].id, data[0].name]),
    ),
  ],
  '/projects/:projectId/tasks': (world) => [
    view(
      '/projects/HERE/tasks?sort=number&limit=1',
      ofHolder(world, 'title', ({ data }) => [data[0].id, data[0].title]),
    ),
    view(`${inHere}/tasks?reference=HERE-1`, [[swapped(world), ({ data }) => presenceOf(data[0])]]),
  ],
  '/tasks': (world) => [
    view(
      '/tasks?projectId=HERE&number=1',
      ofHolder(world, 'title', ({ data }) => [data[0].projectId, data[0].title]),
    ),
  ],
  '/projects/:projectId/tasks/:taskId': (world) => [
    ...['1', 'HERE-1'].map((task) =>
      view(
        `/projects/HERE/tasks/${task}`,
        ofHolder(world, 'title', ({ data }) => [data.projectId, data.title]),
      ),
    ),
    view(`${inHere}/tasks/1`, [
      [swapped(world), ({ data }) => presenceOf(data.reference === 'HERE-1')],
      [world.register('title', hereId), ({ data }) => numberIn(data.title)],
    ]),
    {
      path: `${inHere}/tasks/HERE-1`,
      shows: [[world.register('title', hereId), ({ data }) => numberIn(data.title)]],
      refusals: [[404, swapped(world)]],
    },
    ...ofTransients(world, '/tasks/1', ({ data }) => data.title),
  ],
  '/projects/:projectId/tasks/:taskId/work-packet': (world) => [
    view('/projects/HERE/tasks/HERE-1/work-packet', [
      ...ofHolder(world, 'title', ({ data }) => [data.project.id, data.task.title]),
      ...ofHolder(world, 'name', ({ data }) => [data.project.id, data.project.name]),
    ]),
  ],
  '/projects/:projectId/tasks/:taskId/work-packet/verification': (world) => [
    view('/projects/HERE/tasks/1/work-packet/verification?minVersion=1', [
      [swapped(world), ({ data }) => presenceOf(data.taskId === hereId)],
    ]),
    view(`${inHere}/tasks/3/work-packet/verification?state=completed&wait=0.02`, [
      [world.register('done', hereId), ({ data }) => presenceOf(!data.verified)],
    ]),
  ],
  '/projects/:projectId/comments': (world) => [
    view(`${inHere}/comments?taskId=HERE-1`, [[swapped(world), ({ data }) => presenceOf(data[0])]]),
    view('/projects/HERE/comments?taskId=1&sort=createdAt&limit=1', [
      [swapped(world), ({ data }) => presenceOf(data[0].taskId === hereId)],
    ]),
  ],
}

const swapped = ({ register }: World): Register => register('swapped keys', hereId)

/** Takes a function that returns the id of the project with the key HERE, and the text with a number of a register. */
function ofHolder(world: World, kind: string, read: (body: any) => [id: string, text: string]): ViewOf['shows'] {
  return [
    [swapped(world), (body) => presenceOf(read(body)[0] === hereId)],
    ...[hereId, awayId].map((project): ViewOf['shows'][number] => [
      world.register(kind, project),
      (body) => {
        const [id, text] = read(body)
        return id === project ? numberIn(text) : unknown
      },
    ]),
  ]
}

function ofTransients({ register }: World, path: string, read: (body: any) => string): ViewOf[] {
  return transientIds.map((id) => ({
    path: `/projects/${transientKey(id)}${path}`,
    shows: [[register('transient', id), (body) => numberIn(read(body))]],
    refusals: [[404, register('transient', id)]],
  }))
}
