// Reads register values from the responses about a project.

import { analyticsViews } from './analytics-views.ts'
import { doneTask, guestId, historyTask, teamId, userIds } from './ids.ts'
import { joinedFrom } from './kinds.ts'
import { present, unknown, type Register } from './registers.ts'
import { byId, ifPresent, inRow, presenceOf, numberIn, secondsOf, initialTasks, view } from './shown.ts'
import type { ViewOf } from './views.ts'
import type { World } from './register-world.ts'

const [member] = userIds as [string]

/** Takes the path of a project, and a function that returns its register of a kind. */
export type ProjectViews = (at: string, of: (kind: string) => Register, id: string, world: World) => ViewOf[]

export const projectViews: Record<string, ProjectViews> = {
  '/projects/:projectId': (at, of) => [view(at, [[of('name'), ({ data }) => numberIn(data.name)]])],

  '/projects/:projectId/users': (at, of, _, { register }) => [
    view(`${at}/users`, [
      [of('member'), ({ data }) => (Date.parse(byId(data, member).joinedAt) - Date.parse(joinedFrom)) / 1000],
      [of('guest'), ({ data }) => presenceOf(byId(data, guestId))],
      ...userIds.map((id) => [register('user', id), ({ data }: any) => numberIn(byId(data, id).name)] as const),
    ]),
    {
      path: `${at}/users?teamId=${teamId}`,
      // If the list is empty, either the team or its member is missing.
      shows: [
        [of('team'), ({ data }) => (data.length > 0 ? present : unknown)],
        [register('team member'), ({ data }) => (data.length > 0 ? present : unknown)],
        [register('user', member), ({ data }) => ifPresent(data[0], (user) => numberIn(user.name))],
      ],
    },
  ],

  '/projects/:projectId/teams': (at, of, _, { register }) => [
    view(`${at}/teams`, [
      [of('team'), ({ data }) => presenceOf(data[0])],
      [register('team name'), ({ data }) => ifPresent(data[0], (team) => numberIn(team.name))],
      [register('team member'), ({ data }) => ifPresent(data[0], (team) => presenceOf(team.memberCount === 1))],
    ]),
  ],

  '/projects/:projectId/boards': (at, of) => [
    view(`${at}/boards`, [
      [of('board'), ({ data }) => numberIn(data[0].name)],
      [of('second board'), ({ data }) => presenceOf(data[1])],
      [of('second stage'), ({ data }) => presenceOf(data[0].stageCount === 2)],
    ]),
  ],

  '/projects/:projectId/stages': (at, of) => [
    view(`${at}/stages`, [
      [of('stage'), ({ data }) => numberIn(data[0].name)],
      [of('made'), ({ data }) => data[0].taskCount - 1],
      [of('second stage'), ({ data }) => presenceOf(data[1])],
    ]),
  ],

  '/projects/:projectId/changes': (at, of, id, { register }) => [
    view(`${at}/changes?kinds=project,user,board`, [
      [of('name'), ({ data }) => numberIn(data[0].object.name)],
      [of('board'), ({ data }) => numberIn(data.find(({ kind }: any) => kind === 'board').object.name)],
      [register('user', member), ({ data }) => numberIn(byId(data, member).object.name)],
    ]),
    view(
      `${at}/changes?kinds=task&limit=1000`,
      ofTask(of, register('user', member), ({ data }) => byId(data, id).object),
    ),
  ],

  '/projects/:projectId/tasks': (at, of, id, { register }) => [
    view(`${at}/tasks?sort=number&limit=3&include=tags,watchers`, [
      ...ofTask(of, register('user', member), ({ data }) => byId(data, id)),
      [of('done'), ({ data }) => presenceOf(data[2].state === 'open')],
    ]),
    view(`${at}/tasks?limit=1&sort=-number`, [[of('made'), ({ data }) => data[0].number - initialTasks]]),
    view(`${at}/tasks?state=completed`, [[of('done'), ({ data }) => presenceOf(data.length === 0)]]),
  ],

  '/projects/:projectId/tasks/:taskId': (at, of, id, { register }) => [
    view(`${at}/tasks/${id}`, [[of('title'), ({ data }) => numberIn(data.title)]]),
    view(
      `${at}/tasks/${id}?include=watchers,tags`,
      ofTask(of, register('user', member), ({ data }) => data),
    ),
    view(`${at}/tasks/${doneTask(id)}`, [[of('done'), ({ data }) => presenceOf(data.state === 'open')]]),
  ],

  '/projects/:projectId/tasks/:taskId/work-packet': (at, of, id, { register }) => [
    view(`${at}/tasks/${id}/work-packet`, [
      ...ofTask(of, register('user', member), ({ data }) => data.task),
      [of('name'), ({ data }) => numberIn(data.project.name)],
      [of('board'), ({ data }) => numberIn(data.board.name)],
      [of('stage'), ({ data }) => numberIn(data.stage.name)],
      [of('file'), ({ data }) => inRow(data.files[0], 'name')],
      [of('document'), ({ data }) => inRow(data.documents[0], 'title')],
      [of('entry'), ({ data }) => secondsOf(data.time.trackedSeconds)],
    ]),
    view(`${at}/tasks/${historyTask(id)}/work-packet`, [
      [of('history'), ({ data }) => inRow(data.history.items[0]?.actor, 'name')],
    ]),
  ],

  '/projects/:projectId/tasks/:taskId/work-packet/verification': (at, of, id) => [
    ...['', '&wait=0.02'].map((wait) =>
      view(`${at}/tasks/${doneTask(id)}/work-packet/verification?state=completed${wait}`, [
        [of('done'), ({ data }: any) => presenceOf(!data.verified)] as const,
      ]),
    ),
    view(`${at}/tasks/${id}/work-packet/verification?minVersion=1`, [
      [of('title'), ({ data }) => ifPresent(data.lastChange?.changes.title, ({ to }) => numberIn(to))],
    ]),
  ],

  '/projects/:projectId/work-packets/verification': (at, of, id) => [
    view(`${at}/work-packets/verification?taskIds=${id},${doneTask(id)}&state=completed&minVerified=1`, [
      [of('done'), ({ data }) => presenceOf(data.verifiedCount === 0)],
    ]),
  ],

  '/projects/:projectId/comments': (at, of, id) => [
    view(`${at}/comments`, [
      [of('comment'), ({ data }) => numberIn(byId(data, id).body)],
      [of('second comment'), ({ data }) => presenceOf(data.length === 2)],
    ]),
    view(
      `${at}/comments?include=files`,
      ofComment(of, ({ data }) => byId(data, id)),
    ),
  ],
  '/projects/:projectId/comments/:commentId': (at, of, id) => [
    view(
      `${at}/comments/${id}?include=files`,
      ofComment(of, ({ data }) => data),
    ),
  ],

  '/projects/:projectId/files': (at, of) => [view(`${at}/files`, [[of('file'), ({ data }) => inRow(data[0], 'name')]])],
  '/projects/:projectId/files/:fileId': (at, of, id) => [
    {
      path: `${at}/files/${id}`,
      shows: [[of('file'), ({ data }) => numberIn(data.name)]],
      refusals: [[404, of('file')]],
    },
  ],

  '/projects/:projectId/time-entries': (at, of) => [
    view(`${at}/time-entries`, [[of('entry'), ({ data }) => inRow(data[0], 'description')]]),
  ],
  '/projects/:projectId/time-entries/:timeEntryId': (at, of, id) => [
    {
      path: `${at}/time-entries/${id}`,
      shows: [[of('entry'), ({ data }) => data.durationSeconds]],
      refusals: [[404, of('entry')]],
    },
  ],

  '/projects/:projectId/documents': (at, of) => [
    view(`${at}/documents`, [[of('document'), ({ data }) => inRow(data[0], 'title')]]),
  ],
  '/projects/:projectId/documents/:documentId': (at, of, id) => [
    {
      path: `${at}/documents/${id}`,
      shows: [[of('document'), ({ data }) => numberIn(data.title)]],
      refusals: [[404, of('document')]],
    },
  ],

  ...analyticsViews,
}

type Of = (kind: string) => Register

const ofTask = (of: Of, watcher: Register, task: (body: any) => any): ViewOf['shows'] => [
  [of('title'), (body) => numberIn(task(body).title)],
  [of('tagged'), (body) => presenceOf(task(body).tags[0])],
  [of('tag'), (body) => ifPresent(task(body).tags[0], (tag: any) => numberIn(tag.name))],
  [of('watcher'), (body) => presenceOf(task(body).watchers[0])],
  [watcher, (body) => ifPresent(task(body).watchers[0], (user: any) => numberIn(user.name))],
]

const ofComment = (of: Of, comment: (body: any) => any): ViewOf['shows'] => [
  [of('comment'), (body) => numberIn(comment(body).body)],
  [of('file'), (body) => inRow(comment(body).files[0], 'name')],
]
