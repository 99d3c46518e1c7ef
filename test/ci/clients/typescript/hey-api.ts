// Uses the client of @hey-api/openapi-ts as an integrator would: hey-api.ts ORIGIN PROJECT LIMIT

import { createTask, getTask, listTasks } from './hey-api/sdk.gen'
import { client } from './hey-api/client.gen'

const [origin, projectId, limit] = process.argv.slice(2) as [string, string, string]
client.setConfig({ baseUrl: `${origin}/api/external/v1`, auth: process.env['WORKGATE_KEY']! })

async function walk(): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { data: page } = await listTasks({
      path: { projectId },
      query: {
        state: ['completed', 'cancelled'],
        priority: ['low', 'medium', 'high'],
        sort: '-updatedAt',
        limit: Number(limit),
        ...(cursor !== undefined && { cursor }),
      },
      throwOnError: true,
    })
    pages.push(page.data.map(({ id }) => id))
    cursor = page.meta.nextCursor ?? undefined
  } while (cursor !== undefined)
  return pages
}

async function create() {
  const body = {
    title: 'Made by @hey-api/openapi-ts',
    description: null,
    priority: 'high' as const,
    dueDate: '2026-12-01',
    tags: ['generated'],
  }
  const { data: created } = await createTask({ path: { projectId }, body, throwOnError: true })
  const path = { projectId, taskId: created.data.id }
  const { data: task } = await getTask({ path, query: { include: ['tags', 'watchers'] }, throwOnError: true })
  const { id, title, priority, dueDate, tags } = task.data
  return { id, title, priority, dueDate, tags: tags!.map(({ name }) => name) }
}

async function missing() {
  const { error } = await getTask({ path: { projectId, taskId: projectId } })
  return error!.code
}

console.log(JSON.stringify({ pages: await walk(), created: await create(), problem: await missing() }))
