// A project that follows a Gitea, real or fake: rounds, and what it shows.

import type { Database } from '../../src/db/database.ts'
import { createGitea } from '../../src/sources/adapters/gitea.ts'
import { createTrackerHttp } from '../../src/sources/http/http.ts'
import { runRound, type Followed } from '../../src/sources/round.ts'
import type { Sql } from '../support/workgate.ts'
import type { FakeGitea } from './fake-gitea.ts'

/** An issue with what belongs to it, by the numbers of the tracker. */
export interface CopiedIssue {
  number: number
  title: string
  state: string
  due: string | null
  tags: string[]
  assignees: string[]
  comments: string[]
  /** The seconds of each time entry. */
  times: number[]
}

const namespace = 'github@git.example:ann/web'
const ending = new AbortController()

/** The project has no tasks, and follows the repository from now on. `key` is the key of the project. */
export async function followGitea(
  sql: Sql,
  db: Database,
  { projectId, key }: { projectId: string; key: string },
  place: { origin: string; path: string; token?: string },
) {
  await sql`delete from workgate.sources where project_id = ${projectId}`
  await sql`delete from workgate.tasks where project_id = ${projectId}`
  await sql`insert into workgate.sources (project_id, tool, address, namespace) values (${projectId}, 'gitea', 'https://git.example/ann/web', ${namespace})`
  await sql`insert into workgate.source_progress (project_id) values (${projectId})`
  const followed: Followed = { projectId, key, actor: 'ann/web', fence: '0', trackerId: null }

  return {
    /** A round of whoever has the lease. */
    async round(options = { audit: false }) {
      const headers = (): Record<string, string> => (place.token ? { authorization: `token ${place.token}` } : {})
      const http = createTrackerHttp({ origin: place.origin, headers, signal: ending.signal, allowLocal: true })
      try {
        const tracker = createGitea(http, { path: place.path, namespace, trackerId: followed.trackerId })
        return await runRound(db, tracker, followed, options)
      } finally {
        http.close()
      }
    },

    /** What the project shows. */
    async here(): Promise<CopiedIssue[]> {
      const tasks = await sql<CopiedIssue[]>`
        select
          t.number::int, t.title, t.state, t.due_date::text as due,
          array(select g.name from workgate.task_tags x join workgate.tags g on g.project_id = x.project_id and g.id = x.tag_id where x.project_id = t.project_id and x.task_id = t.id order by g.name collate "C") as tags,
          array(select u.name from unnest(workgate.assignees_of(t.assignee_id, t.assignee_ids)) with ordinality a (id, n) join workgate.users u on u.id = a.id order by n) as assignees,
          array(select c.body from workgate.comments c where c.project_id = t.project_id and c.task_id = t.id order by c.body collate "C") as comments,
          array(select e.duration_seconds::int from workgate.time_entries e where e.project_id = t.project_id and e.task_id = t.id order by 1) as times
        from workgate.tasks t
        where t.project_id = ${projectId}
        order by t.number`
      return tasks.map((task) => ({ ...task }))
    },

    async marks() {
      const [row] =
        await sql`select round, applied_round, synced_through, audited_through from workgate.source_progress where project_id = ${projectId}`
      return { ...row! }
    },
  }
}

export type CopiedProject = Awaited<ReturnType<typeof followGitea>>

/** What the project has to show. */
export function shownBy(gitea: FakeGitea): CopiedIssue[] {
  const issues = [...gitea.issues.values()].map((issue) => ({
    number: issue.id,
    title: issue.title,
    state: issue.isOpen ? 'open' : 'completed',
    due: issue.milestone === undefined ? null : gitea.milestones.get(issue.milestone)!.slice(0, 10),
    tags: [...issue.labels].map((label) => gitea.labels.get(label)!).sort(),
    assignees: issue.assignees,
    comments: [] as string[],
    times: [] as number[],
  }))
  const byNumber = new Map(issues.map((issue) => [issue.number, issue]))
  for (const { issue, body } of gitea.comments.values()) if (body !== '') byNumber.get(issue)!.comments.push(body)
  for (const { issue, seconds } of gitea.times.values()) byNumber.get(issue)!.times.push(seconds)
  for (const { comments, times } of issues) {
    comments.sort()
    times.sort((a, b) => a - b)
  }
  return issues
}

/** 120 issues on three pages, with everything that the adapter reads. */
export function fill(gitea: FakeGitea): void {
  for (let n = 0; n < 120; n++) {
    const { id } = gitea.create({ labels: new Set([1 + (n % 2)]), assignees: ['ann', 'bob'].slice(0, n % 3), milestone: n % 4 === 0 ? 1 : undefined, isOpen: n % 5 > 0 }) // prettier-ignore
    if (n % 2 === 0) gitea.comment(id, `comment ${n}`)
    if (n % 3 === 0) gitea.track(id, 60 + n)
  }
  gitea.wait(100)
}
