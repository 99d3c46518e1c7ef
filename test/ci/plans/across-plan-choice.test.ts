// The choice between a plan for the values of a request and one for all values is right for lists across projects.

import { before, describe, test } from 'node:test'
import { tasksAcrossProjects } from '../../../src/resources/tasks/list-tasks.ts'
import { timeEntriesAcrossProjects } from '../../../src/resources/time-entries/list-time-entries.ts'
import { ofTasks, ofTimeEntries, planChecks, rowsOf } from './plan-choice.ts'
import { planSuite } from './plan-suite.ts'

const projects = 100
const { explainPage } = await planSuite(rowsOf(projects, 'some'))

// The planner knows only the average number of rows of a project, so it may choose a plan that reads more from a large
// one. But then it reads few from an average one: all in all, the cost depends on the number of projects.
const pagesMore = 20 * projects

const lists = [
  ['tasks', tasksAcrossProjects, ofTasks],
  ['time entries', timeEntriesAcrossProjects, ofTimeEntries],
] as const

for (const [name, list, values] of lists) {
  describe(`plans of ${name} across ${projects} projects`, () => {
    const { tests, warmUp } = planChecks(explainPage, list, values, pagesMore)
    before(warmUp)
    for (const [claim, check] of tests) test(claim, async () => void (await check()))
  })
}
