// The choice between a plan for the values of a request and one for all values is right for every list of a project.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { boards } from '../../../src/resources/boards/list-boards.ts'
import { stages } from '../../../src/resources/boards/list-stages.ts'
import { comments } from '../../../src/resources/comments/list-comments.ts'
import { documents } from '../../../src/resources/documents/list-documents.ts'
import { users } from '../../../src/resources/people/list-users.ts'
import { projects } from '../../../src/resources/projects/list-projects.ts'
import { tasks } from '../../../src/resources/tasks/list-tasks.ts'
import { timeEntries } from '../../../src/resources/time-entries/list-time-entries.ts'
import {
  flags,
  idsOf,
  ofTasks,
  ofTimeEntries,
  rowsOf,
  planChecks,
  tasksOf,
  times,
  words,
  type Values,
} from './plan-choice.ts'
import { lists as definitions } from '../../support/api-statements.ts'
import { idOf, planSuite } from './plan-suite.ts'

// prettier-ignore
const lists: [name: string, list: ListDefinition, values: Values][] = [
  ['projects', projects, { status: [['active'], ['archived'], ['active', 'archived']], q: ['1', '999', 'absent'], ...times }],
  ['boards', boards, { archived: flags }],
  ['stages', stages, { boardId: idsOf('004'), category: [['backlog'], ['done']] }],
  ['users', users, { role: [['member'], ['owner']], active: flags, teamId: [[idOf('002', 1)]], q: words }],
  ['tasks', tasks, ofTasks],
  ['comments', comments, { taskId: tasksOf, authorId: idsOf('001'), hasFiles: flags, q: words, ...times }],
  ['time entries', timeEntries, ofTimeEntries],
  ['documents', documents, { taskId: tasksOf, authorId: idsOf('001'), pathPrefix: ['common/', 'rare/', 'absent/'], q: words, ...times }],
]

test('every list with indexes is here', () => {
  const isHere = (list: ListDefinition) => list.of === 'objects of projects' || lists.some(([, one]) => one === list)
  const missing = definitions.filter(({ list }) => list.indexes && !isHere(list))
  assert.deepEqual(
    missing.map(({ path }) => path),
    [],
  )
})

const databases = [
  ['many projects', await planSuite(rowsOf(1_000, 'some'))],
  ['few projects, whose rows are alike', await planSuite(rowsOf(2, 'none'))],
] as const

for (const [place, { explainPage }] of databases)
  for (const [name, list, values] of lists)
    describe(`plans of ${name}, with ${place}`, () => {
      const { tests, warmUp } = planChecks(explainPage, list, values)
      before(warmUp)
      for (const [claim, check] of tests) test(claim, async () => void (await check()))
    })
