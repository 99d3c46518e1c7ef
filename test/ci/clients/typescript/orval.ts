// Uses the client of orval as an integrator would: orval.ts ORIGIN PROJECT LIMIT. The origin is in orval.config.mjs.

import { createTask, getTask, listTasks } from './orval/client'

const [projectId, limit] = process.argv.slice(3) as [string, string]
const options = { headers: { Authorization: `Bearer ${process.env['WORKGATE_KEY']}` } }

async function walk(): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await listTasks(
      projectId,
      {
        state: ['completed', 'cancelled'],
        priority: ['low', 'medium', 'high'],
        sort: '-updatedAt',
        limit: Number(limit),
        ...(cursor !== undefined && { cursor }),
      },
      options,
    )
    if (page.status !== 200) throw new Error(JSON.stringify(page.data))
    pages.push(page.data.data.map(({ id }) => id))
    cursor = page.data.meta.nextCursor ?? undefined
  } while (cursor !== undefined)
  return pages
}

async function create() {
  const body = {
    title: 'Made by orval',
    description: null,
    priority: 'high' as const,
    dueDate: '2026-12-01',
    tags: ['generated'],
  }
  const created = await createTask(projectId, body, options)
  if (created.status !== 201) throw new Error(JSON.stringify(created.data))
  const task = await getTask(projectId, created.data.data.id, { include: ['tags', 'watchers'] }, options)
  if (task.status !== 200) throw new Error(JSON.stringify(task.data))
  const { id, title, priority, dueDate, tags } = task.data.data
  return { id, title, priority, dueDate, tags: tags!.map(({ name }) => name) }
}

async function missing() {
  const task = await getTask(projectId, projectId, {}, options)
  if (task.status !== 404) throw new Error(String(task.status))
  return task.data.code
}

console.log(JSON.stringify({ pages: await walk(), created: await create(), problem: await missing() }))
