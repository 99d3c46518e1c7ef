// Uses openapi-fetch with the types of openapi-typescript as an integrator would.

import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

type Task = components['schemas']['Task']
type Code = components['schemas']['ProblemCode']

export const clientFor = (origin: string, key: string) =>
  createClient<paths>({
    baseUrl: `${origin}/api/external/v1`,
    headers: { Authorization: `Bearer ${key}` },
  })
type Client = ReturnType<typeof clientFor>

export async function firstProject(client: Client): Promise<string> {
  const { data } = await client.GET('/projects', { params: { query: { sort: 'name', status: ['active'], limit: 1 } } })
  return data!.data[0]!.id
}

export async function walk(client: Client, projectId: string, limit: number): Promise<Task[]> {
  const tasks: Task[] = []
  let cursor: string | undefined
  do {
    const { data, error } = await client.GET('/projects/{projectId}/tasks', {
      params: {
        path: { projectId },
        query: {
          state: ['open', 'cancelled'],
          createdAfter: '2020-01-01',
          sort: '-updatedAt',
          limit,
          ...(cursor !== undefined && { cursor }),
        },
      },
    })
    if (error) throw new Error(error.detail)
    tasks.push(...data.data)
    cursor = data.meta.nextCursor ?? undefined
  } while (cursor !== undefined)
  return tasks
}

export async function create(client: Client, projectId: string, title: string) {
  const { data, response } = await client.POST('/projects/{projectId}/tasks', {
    params: { path: { projectId }, header: { 'Idempotency-Key': `create ${title}`.replaceAll(' ', '-') } },
    body: { title, priority: 'high', tags: ['generated'], dueDate: null },
  })
  return {
    task: data!.data,
    etag: response.headers.get('etag')!,
    replayed: response.headers.get('idempotency-replayed'),
  }
}

export async function complete(client: Client, { projectId, id: taskId }: Task, etag: string): Promise<Task | Code> {
  const { data, error } = await client.POST('/projects/{projectId}/tasks/{taskId}/complete', {
    params: { path: { projectId, taskId }, header: { 'If-Match': etag } },
  })
  return error ? error.code : data.data
}

export async function missing(client: Client): Promise<{ status: number; code: Code; names: string[] }> {
  const { error } = await client.GET('/projects/{projectId}', {
    params: { path: { projectId: '00000000-0000-7000-8000-000000000000' } },
  })
  const { status, code, errors = [] } = error!
  return { status, code, names: errors.map(({ name }) => name) }
}

/** Never called: checks that wrong requests do not compile. */
export async function wrong(client: Client) {
  // @ts-expect-error: an unknown state
  await client.GET('/projects/{projectId}/tasks', { params: { path: { projectId: '' }, query: { state: ['done'] } } })
  // @ts-expect-error: an unknown parameter
  await client.GET('/projects', { params: { query: { stauts: ['active'] } } })
  // @ts-expect-error: no title
  await client.POST('/projects/{projectId}/tasks', { params: { path: { projectId: '' } }, body: { priority: 'low' } })
}
