// Compares the creation of tasks with pgbench inserting the same rows: in one project, where each creation waits until
// the previous one has committed, because they share a counter, and in many.

import type { BenchRequest } from './bench-load.ts'
import { tasksOf, writtenCount, writtenProjects } from './bench-pages.ts'
import type { Part } from './part.ts'
import { race, ratio, type Raced } from './race.ts'
import { atLeast, microseconds, perSecond, printTable, type Line } from './table.ts'

const clients = 16
const title = 'New'
const body = JSON.stringify({ title })
const many = 5_000
const target = 0.85

export const benchWrites: Part = async ({ uncached, headers, load, pgbench, rounds }) => {
  const create = (projects: readonly string[]) => {
    const requests = Array.from({ length: many }, (): BenchRequest => {
      const project = projects[Math.floor(Math.random() * projects.length)]!
      return { method: 'POST', path: tasksOf(project), headers, body }
    })
    return () => load(uncached, clients, requests)
  }
  const insert = (projects: readonly string[]) => () => pgbench.script(insertInto(projects), clients)
  const one = writtenProjects.slice(0, 1)
  const figures = await race(rounds, {
    insertedInOne: insert(one),
    createdInOne: create(one),
    insertedInMany: insert(writtenProjects),
    createdInMany: create(writtenProjects),
  })

  const line = (what: string, created: Raced, inserted: Raced): Line => {
    const share = ratio(created, inserted)
    const remark = `${share.toFixed(2)} of pgbench (${perSecond(inserted.rate)}) ${atLeast(target, share)}`
    return [what, perSecond(created.rate), microseconds(created.processor), remark]
  }
  printTable(`POST …/tasks, ${clients} connections, compared with inserts of the same row by pgbench`, [
    ['', 'rate', 'CPU in the process', ''],
    line('one project', figures.createdInOne, figures.insertedInOne),
    line(`${writtenCount} projects`, figures.createdInMany, figures.insertedInMany),
  ])
}

/** A pgbench script that inserts a task into the first stage of one of these projects. */
const insertInto = (projects: readonly string[]) => `
\\set n random(1, ${projects.length})
insert into workgate.tasks (project_id, board_id, stage_id, title)
select project_id, board_id, id, '${title}'
from workgate.stages
where project_id = (array['${projects.join("','")}'])[:n]::uuid and position = 1`
