// Vikunja on a database of its own, on the PostgreSQL server that Workgate uses.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Sql } from '../../support/workgate.ts'
import { pageProject, projectCount, uniqueTime } from '../bench-pages.ts'
import type { BenchRequest } from '../bench-load.ts'
import { startProgram } from '../bench-service.ts'
import type { Part } from '../part.ts'
import { exportRows, type Client, type Peer } from './peer.ts'

/** Returns no peer, and says why, without the program. */
export async function prepareVikunja({ folder, sql, url, vikunja }: Parameters<Part>[0]): Promise<Peer[]> {
  if (!vikunja) {
    console.log('\nVikunja is not measured. Set its program with --vikunja FILE.')
    return []
  }
  const cwd = join(folder, 'vikunja')
  await mkdir(cwd)
  await sql`create database vikunja`
  const database = new URL(url)
  database.pathname = '/vikunja'
  const start = () =>
    startProgram([vikunja, 'web'], '/api/v1/info', folder, (port) => ({ cwd, env: settings(database, port) }))

  // The first start creates the tables.
  const service = await start()
  const own = connect(database.href)
  try {
    const user = await register(service.url)
    await copyTasks(sql, own, user.id)
    const projects = await own`select id, title from projects`
    const ids = new Map(projects.map(({ id, title }) => [title, id]))
    const client = (label: string, token: string): Client => {
      const list = (n: number, filter = {}): BenchRequest => ({
        method: 'GET',
        path: `/api/v1/projects/${ids.get(pageProject(n))}/tasks?${new URLSearchParams({ per_page: '50', sort_by: 'created', order_by: 'desc', ...filter })}`, // prettier-ignore
        headers: { authorization: `Bearer ${token}` },
      })
      const newFilter = () => ({ filter: `created > '${uniqueTime()}'` })
      return {
        label,
        database: 'vikunja',
        repeated: Array.from({ length: projectCount }, (_, n) => list(n + 1)),
        first: () => Array.from({ length: 10_000 }, (_, n) => list((n % projectCount) + 1, newFilter())),
        titles: (body) => body.map(({ title }: { title: string }) => title),
      }
    }
    // It computes a slow hash of an API token for each request, but not of a token that a login returns.
    const clients = [client('Vikunja', user.apiToken), client('Vikunja, token of a login', user.loginToken)]
    return [{ name: 'Vikunja', start, clients }]
  } finally {
    await own.end()
    await service.stop()
  }
}

function settings(database: URL, port: number): Record<string, string> {
  return {
    VIKUNJA_DATABASE_TYPE: 'postgres',
    VIKUNJA_DATABASE_HOST: database.host,
    VIKUNJA_DATABASE_USER: database.username,
    VIKUNJA_DATABASE_PASSWORD: database.password,
    VIKUNJA_DATABASE_DATABASE: 'vikunja',
    // It exits when the server refuses a connection, and by default opens as many as the server permits.
    VIKUNJA_DATABASE_MAXOPENCONNECTIONS: '50',
    // In milliseconds. By default, it replaces each connection after ten seconds.
    VIKUNJA_DATABASE_MAXCONNECTIONLIFETIME: '3600000',
    VIKUNJA_SERVICE_INTERFACE: `127.0.0.1:${port}`,
    VIKUNJA_SERVICE_PUBLICURL: `http://127.0.0.1:${port}/`,
    VIKUNJA_SERVICE_SECRET: 'secret-of-the-benchmark',
    // Tokens of logins last for ten minutes by default.
    VIKUNJA_SERVICE_JWTTTLSHORT: '86400',
    VIKUNJA_RATELIMIT_ENABLED: 'false',
    VIKUNJA_LOG_LEVEL: 'INFO',
  }
}

async function register(url: string): Promise<{ id: number; apiToken: string; loginToken: string }> {
  const send = async (method: string, path: string, body: object, headers = {}) => {
    const all = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${url}/api/v1${path}`, { method, headers: all, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`Vikunja responded to ${method} ${path} with ${await response.text()}`)
    return (await response.json()) as { id: number; token: string }
  }
  const credentials = { username: 'bench', password: 'password-of-the-benchmark' }
  const { id } = await send('POST', '/register', { ...credentials, email: 'bench@example.org' })
  const { token: loginToken } = await send('POST', '/login', credentials)
  const permissions = { tasks: ['read_all'], projects: ['read_all'] }
  const { token: apiToken } = await send(
    'PUT',
    '/tokens',
    { title: 'bench', permissions, expires_at: '2100-01-01T00:00:00Z' },
    { authorization: `Bearer ${loginToken}` },
  )
  return { id, apiToken, loginToken }
}

/** Copies all projects and tasks, with the users they are assigned to. */
async function copyTasks(from: Sql, to: Sql, owner: number): Promise<void> {
  await to.unsafe(`
    create unlogged table copied (
      id uuid, project text, number bigint, title text, description text, done boolean, priority bigint, assignee text,
      start_date timestamp, due_date timestamp, done_at timestamp, created timestamp, updated timestamp
    )`)
  const file = await exportRows(
    from,
    `select
      t.id, t.project_id, t.number, t.title, t.description, t.state = 'completed',
      array_position(enum_range(null::workgate.priority), t.priority) - 1, u.email, t.start_date, t.due_date,
      t.completed_at at time zone 'UTC', t.created_at at time zone 'UTC', t.updated_at at time zone 'UTC'
    from workgate.tasks t
    left join workgate.users u on u.id = t.assignee_id`,
  )
  await to.unsafe(`copy copied from '${file}' (format csv, header)`)
  await to.unsafe(`
    insert into users (username, email, overdue_tasks_reminders_time, created, updated)
    select distinct assignee, assignee, '09:00', now(), now() from copied where assignee is not null;
    insert into projects (title, owner_id, created, updated)
    select distinct project, ${owner}, now(), now() from copied;
    insert into tasks (title, description, done, done_at, due_date, start_date, project_id, priority, index, uid, created, updated, created_by_id)
    select c.title, c.description, c.done, c.done_at, c.due_date, c.start_date, p.id, c.priority, c.number, c.id, c.created, c.updated, ${owner}
    from copied c join projects p on p.title = c.project;
    insert into task_assignees (task_id, user_id, created)
    select t.id, u.id, now() from copied c join tasks t on t.uid = c.id::text join users u on u.username = c.assignee;
    drop table copied`)
  await to.unsafe('vacuum analyze')
}
