// Compares requests that are served by one statement with pgbench running that statement.

import type { Query } from '../../src/db/statements/query.ts'
import type { Params } from '../../src/db/statements/template.ts'
import { writeQuery } from '../../src/api/writes/write.ts'
import { createTaskSql } from '../../src/resources/tasks/create-task.ts'
import { api } from '../support/workgate.ts'
import { largeProject } from './fill.ts'
import type { BenchRequest } from './bench-load.ts'
import {
  firstPage,
  firstPageAcrossProjects,
  uniqueRequest,
  page,
  pageAcrossProjects,
  pageBy,
  tasksOf,
} from './bench-pages.ts'
import type { Part } from './part.ts'
import { race, ratio } from './race.ts'
import { atLeast, atMost, perSecond, printTable, type Line } from './table.ts'

const clients = 16
const many = 5_000

export const benchStatements: Part = async ({ sql, uncached, headers, taskCount, load, pgbench, rounds }) => {
  const lines: Line[] = []
  const tasks = tasksOf(largeProject)
  const get = (path: string): BenchRequest => ({ method: 'GET', path, headers })
  const ofApi = (requests: readonly BenchRequest[]) => load(uncached, clients, requests)

  /** Compares the API with pgbench running the same statement. */
  async function compare(
    what: string,
    requests: readonly BenchRequest[],
    statement: Query<unknown>,
    params: Params,
    target?: number,
  ) {
    const { bare, served } = await race(rounds, {
      bare: () => pgbench.statement(statement, params, clients),
      served: () => ofApi(requests),
    })
    const share = ratio(served, bare)
    const remark = target === undefined ? '' : ` ${atLeast(target, share)}`
    lines.push([what, perSecond(served.rate), `${share.toFixed(2)} of pgbench (${perSecond(bare.rate)})${remark}`])
    return { bare, served }
  }

  const lists = (query = '') => Array.from({ length: many }, () => uniqueRequest(tasks + query, headers))
  const first = firstPage(largeProject)
  const top = await compare('GET …/tasks, 50 of them', lists(), page, first, 0.85)

  const depth = Math.floor(taskCount / 1.2)
  const read = async (query: string) => (await fetch(`${uncached.url}${tasks}?${query}`, { headers })).json()
  const { cursor, around } = await cursorsAt(depth, read)
  const [, after, afterId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string, string]
  const deep = around.map((cursor) => get(`${tasks}?cursor=${cursor}`))
  const bottom = await compare(`GET …/tasks, ${depth} rows deep`, deep, page, {
    ...first,
    createdAfter: null,
    after,
    afterId,
  })
  const times = ratio(top.served, bottom.served)
  lines.push([
    'a deep page compared with the first',
    '',
    `${ratio(top.bare, bottom.bare).toFixed(2)} times the cost, ${times.toFixed(2)} through the API ${atMost('1.2', times <= 1.2)}`,
  ])

  const withAll = { ...first, includeTags: true, includeWatchers: true }
  await compare('GET …/tasks?include=tags,watchers', lists('?include=tags,watchers'), page, withAll)
  await compare('GET …/tasks?state=open&sort=dueDate', lists('?state=open&sort=dueDate'), pageBy('dueDate'), {
    ...first,
    state: ['open'],
  })
  await compare('GET …/tasks?q=word42', lists('?q=word42'), page, { ...first, q: 'word42' })
  const acrossProjects = Array.from({ length: many }, () => uniqueRequest(`${api}/tasks`, headers))
  await compare('GET /tasks, of all projects', acrossProjects, pageAcrossProjects, firstPageAcrossProjects)
  // The costliest searches: words in every task, in one of ten, and in one of a hundred, in another order.
  for (const [q, sort] of [
    ['some', 'updatedAt'],
    ['some task', '-dueDate'],
    ['word9', 'priority'],
    ['word99', 'updatedAt'],
  ] as const) {
    const query = `?${new URLSearchParams({ q, sort })}`
    await compare(`GET …/tasks${query}`, lists(query), pageBy(sort), { ...first, q })
  }
  const someTasks = await sql`select id from workgate.tasks where project_id = ${largeProject} limit ${many}`
  const one = { ...first, createdAfter: null, id: afterId, limit: 1 }
  await compare('GET …/tasks/:taskId', someTasks.map(({ id }) => get(`${tasks}/${id}`)), pageBy(null), one) // prettier-ignore

  const body = JSON.stringify({ title: 'New' })
  const create = writeQuery(createTaskSql)
  const newTask = { ...noParams(create), ...bareTask }
  await compare('POST …/tasks', [{ method: 'POST', path: tasks, headers, body }], create, newTask, 0.6)
  const toDo =
    await sql`select id from workgate.tasks where project_id = ${largeProject} and state = 'open' limit 20000`
  const complete = toDo.map(({ id }): BenchRequest => ({ method: 'POST', path: `${tasks}/${id}/complete`, headers }))
  lines.push(['POST …/tasks/:taskId/complete', perSecond((await ofApi(complete)).rate), ''])
  const { key } = await race(rounds, { key: () => ofApi([get(`${api}/key`)]) })
  lines.push(['GET /key: only HTTP and the key check', perSecond(key.rate), ''])
  printTable(`One statement per request, ${clients} connections, ${taskCount} tasks in the project`, lines)
}

const noParams = ({ names }: Query<unknown>): Params => Object.fromEntries(names.map((name) => [name, null]))

const bareTask: Params = {
  projectId: largeProject,
  idempotencyProjectId: largeProject,
  keyId: 'bench',
  firstKeyId: 'bench',
  keyName: 'bench',
  operation: 'create_task',
  status: 201,
  title: 'New',
  priority: 'none',
  tags: null,
  watcherIds: null,
  requestHash: '00',
}

/** The cursor of the page `depth` rows deep, and the cursors of the 100 rows after it. */
async function cursorsAt(depth: number, read: (query: string) => Promise<any>) {
  let cursor = ''
  for (let seen = 0; seen < depth; seen += 200) {
    cursor = (await read(`limit=200${cursor && `&cursor=${cursor}`}`)).meta.nextCursor
  }
  const around: string[] = []
  for (let limit = 1; limit <= 100; limit++) {
    around.push((await read(`limit=${limit}&cursor=${cursor}`)).meta.nextCursor)
  }
  return { cursor, around }
}
