// Reads register values from the analytics of a project.

import { userIds } from './ids.ts'
import type { ProjectViews } from './project-views.ts'
import { absent } from './registers.ts'
import { ifPresent, presenceOf, numberIn, secondsOf, initialTasks, view } from './shown.ts'

const [, spender, assignee] = userIds as [string, string, string]

export const analyticsViews: Record<string, ProjectViews> = {
  '/projects/:projectId/analytics/overview': (at, of, _, { register }) => [
    view(`${at}/analytics/overview`, [
      [of('made'), ({ data }) => data.tasks.total - initialTasks],
      [of('done'), ({ data }) => presenceOf(data.tasks.completed === 0)],
      [of('stage'), ({ data }) => numberIn(data.byStage.find((stage: any) => stage.stageId).name)],
      [of('second board'), ({ data }) => presenceOf(data.counts.boards === 2)],
      [of('guest'), ({ data }) => presenceOf(data.counts.users > userIds.length)],
      [of('second comment'), ({ data }) => presenceOf(data.counts.comments === 2)],
      [of('team'), ({ data }) => presenceOf(data.counts.teams)],
      [of('document'), ({ data }) => presenceOf(data.counts.documents)],
      [of('entry'), ({ data }) => secondsOf(data.time.totalSeconds)],
      [
        register('user', assignee),
        ({ data }) => numberIn(data.byAssignee.items.find((item: any) => item.assigneeId).name),
      ],
    ]),
    view(`${at}/analytics/overview?measure=points`, [
      [of('done'), ({ data }) => presenceOf(data.tasks.completed === 0)],
    ]),
  ],
  '/projects/:projectId/analytics/progress': (at, of) => [
    ...['', '?interval=month'].map((query) =>
      view(`${at}/analytics/progress${query}`, [
        [of('made'), ({ data }) => data.series.reduce((sum: number, { created }: any) => sum + created, -initialTasks)],
        [of('done'), ({ data }) => presenceOf(data.series.at(-1).done === 0)],
      ]),
    ),
    view(`${at}/analytics/progress?measure=points`, [
      [of('done'), ({ data }) => presenceOf(data.series.at(-1).done === 0)],
    ]),
  ],
  '/projects/:projectId/analytics/time': (at, of, _, { register }) => [
    view(`${at}/analytics/time`, [
      [of('entry'), ({ data }) => secondsOf(data.totals.totalSeconds)],
      [register('user', spender), ({ data }) => ifPresent(data.rows[0], (row) => numberIn(row.name))],
    ]),
    view(`${at}/analytics/time?groupBy=task`, [
      [of('entry'), ({ data }) => (data.rows[0] ? data.rows[0].totalSeconds : absent)],
      [of('title'), ({ data }) => ifPresent(data.rows[0], (row) => numberIn(row.name))],
    ]),
  ],
}
