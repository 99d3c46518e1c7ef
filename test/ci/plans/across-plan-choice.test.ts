// The choice between a plan for the values of a request and one for all values is right for lists across projects.

import { tasksAcrossProjects } from '../../../src/resources/tasks/list-tasks.ts'
import { timeEntriesAcrossProjects } from '../../../src/resources/time-entries/list-time-entries.ts'
import { ofTasks, ofTimeEntries, rowsOf, testPlans } from './plan-choice.ts'
import { planSuite } from './plan-suite.ts'

const projects = 100
const place = `${projects} projects`
const { explain } = await planSuite(rowsOf(projects, 'some'))

// The planner knows only the average number of rows of a project, so it may choose a plan that reads more from a large
// one. But then it reads few from an average one: all in all, the cost depends on the number of projects.
const pagesMore = 20 * projects

testPlans(place, explain, 'tasks across projects', tasksAcrossProjects, ofTasks, pagesMore)
testPlans(place, explain, 'time entries across projects', timeEntriesAcrossProjects, ofTimeEntries, pagesMore)
