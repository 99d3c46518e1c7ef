// Reads register values from verifications with random expectations, of one task or of all three tasks of a project.

import { chooser } from '../support/random.ts'
import { doneTask, historyTask, projectIds, userIds } from './ids.ts'
import type { ProjectViews } from './project-views.ts'
import { absent, unknown, type Register } from './registers.ts'
import { inRow, numberIn, presenceOf, secondsOf, view } from './shown.ts'
import type { Shown } from './views.ts'

type Of = (kind: string) => Register

/** Of the first task of a project: the query, the kind of register, and its value for the actual value of the check. */
// prettier-ignore
const expectations: [query: string, kind: string, read: (actual: any) => number][] = [
  ['title=Task',                     'title',          numberIn],
  [`hasWatcher=${userIds[0]}`,       'watcher',        presenceOf],
  ['hasWatcher=0@example.org',       'watcher',        presenceOf],
  ['minComments=2',                  'second comment', (actual) => presenceOf(actual === 2)],
  [`fileSha256=${'0'.repeat(64)}`,   'file',           (actual) => (actual ? unknown : absent)],
  ['minTimeSeconds=100',             'entry',          secondsOf],
  ['documentPath=document.md',       'document',       (actual) => (actual ? unknown : absent)],
]
const nameOf = (query: string) => query.split('=')[0]!

/** Up to three expectations with different names, and sometimes a wait, and what the checks of the first task show. */
function someOf(of: Of, { some, chance }: ReturnType<typeof chooser>, checks: (body: any) => any[]) {
  const found = new Map(some(expectations, 3).map((expectation) => [nameOf(expectation[0]), expectation]))
  const shows = [...found].map(([name, [, kind, read]]): Shown => [
    of(kind),
    (body) => read(checks(body).find((check) => check.name === name).actual),
  ])
  return {
    query: [...found.values()].map(([query]) => `&${query}`).join('') + (chance(0.3) ? '&wait=0.02' : ''),
    shows,
  }
}

export const verificationViews: Record<string, ProjectViews> = {
  '/projects/:projectId/tasks/:taskId/work-packet/verification': (at, of, id) => {
    const choice = chooser(projectIds.indexOf(id))
    return choice.times(2, () => {
      const { query, shows } = someOf(of, choice, ({ data }) => data.checks)
      return view(`${at}/tasks/${id}/work-packet/verification?minVersion=1${query}`, shows)
    })
  },

  '/projects/:projectId/work-packets/verification': (at, of, id) => {
    const choice = chooser(100 + projectIds.indexOf(id))
    return choice.times(2, () => {
      const names = [[id, '1'], [historyTask(id), '2'], [doneTask(id), '3']].map((ways) => choice.pick(ways)) // prettier-ignore
      const { query, shows } = someOf(of, choice, ({ data }) => data.tasks[0].checks)
      return view(`${at}/work-packets/verification?taskIds=${names}&state=completed${query}`, [
        ...shows,
        [of('history'), ({ data }) => inRow(data.tasks[1].lastChange?.by.actor, 'name')],
        [of('done'), ({ data }) => presenceOf(data.tasks[2].state === 'open')],
      ])
    })
  },
}
