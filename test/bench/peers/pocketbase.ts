// PocketBase with the tasks in one collection. Its rule for lists admits every authenticated user, as Workgate's key
// has access to all projects. Identifiers are plain text instead of relations, and the requests do not ask for the
// total number of tasks (skipTotal): both make PocketBase faster, and the response contains what Workgate's contains.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sql } from '../../support/workgate.ts'
import { pageProject, projectCount, uniqueTime } from '../bench-pages.ts'
import type { BenchRequest } from '../bench-load.ts'
import { startProgram } from '../bench-service.ts'
import type { Part } from '../part.ts'
import { exportRows, type Peer } from './peer.ts'

const run = promisify(execFile)
const targets = { repeated: 20, first: 3 }

/** Returns no peer, and says why, if PocketBase cannot be built. */
export async function preparePocketBase({ folder, sql }: Parameters<Part>[0]): Promise<Peer[]> {
  const program = join(folder, 'pocketbase')
  const dataDir = join(folder, 'pocketbase-data')
  try {
    // The released executables contain no C code either.
    const env = { ...process.env, CGO_ENABLED: '0' }
    await run('go', ['build', '-buildvcs=false', '-o', program, '.'], { cwd: join(import.meta.dirname, 'pocketbase'), env }) // prettier-ignore
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'Go was not found: install Go 1.25 or later' : message
    console.log(`\nPocketBase is not measured. ${reason}`)
    return []
  }
  const { stdout } = await run(program, ['fill', await exportTasks(sql), '--dir', dataDir])
  const headers = { authorization: stdout.trim() }

  const list = (n: number, filter = ''): BenchRequest => {
    const search = new URLSearchParams({
      perPage: '50',
      skipTotal: '1',
      sort: '-created_at,-id',
      filter: `project_id = '${pageProject(n)}'${filter}`,
    })
    return { method: 'GET', path: `/api/collections/tasks/records?${search}`, headers }
  }
  const newFilter = () => ` && created_at >= '${uniqueTime().replace('T', ' ')}'`
  const peer = (name: string, settings: Record<string, string>): Peer => ({
    name,
    start: () =>
      startProgram([program, 'serve', '--dir', dataDir], '/api/health', folder, (port) => ({
        args: [`--http=127.0.0.1:${port}`],
        env: settings,
      })),
    clients: [
      {
        label: name,
        repeated: Array.from({ length: projectCount }, (_, n) => list(n + 1)),
        first: () => Array.from({ length: 10_000 }, (_, n) => list((n % projectCount) + 1, newFilter())),
        titles: (body) => body.items.map(({ title }: { title: string }) => title),
        targets,
      },
    ],
  })
  return [peer('PocketBase', {}), peer('PocketBase, tuned', { REQUEST_LOG: 'off', GOGC: '400' })]
}

function exportTasks(sql: Sql): Promise<string> {
  // PocketBase compares times as text, in this format.
  const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS"Z"') as ${column}`
  return exportRows(
    sql,
    `select
      id, project_id, number, title, description, state, priority, board_id, stage_id, parent_id, assignee_id,
      creator_id, start_date, due_date, coalesce(estimate_seconds, 0) as estimate_seconds, ${time('completed_at')},
      ${time('created_at')}, ${time('updated_at')}, version
    from workgate.tasks`,
  )
}
