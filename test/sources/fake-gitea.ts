// A tracker that answers as Gitea does: lists in the order of creation, stamps of whole seconds, totals in a header. Tests
// change it between requests, and in the middle of them. What a real Gitea does is tested in test/ci/sources.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Stamped {
  id: number
  updated: number
}
export interface Issue extends Stamped {
  title: string
  body: string
  isOpen: boolean
  labels: Set<number>
  assignees: string[]
  milestone: number | undefined
}
interface Comment extends Stamped {
  issue: number
  body: string
}
interface Time extends Stamped {
  issue: number
  seconds: number
}

const pageSize = 50

export async function startFakeGitea() {
  let path = 'ann/web'
  const oldPaths: string[] = []
  let repositoryId = 7
  let now = Date.parse('2026-06-01T12:00:00Z')
  let lastIssue = 0
  let lastId = 0
  const issues = new Map<number, Issue>()
  const comments = new Map<number, Comment>()
  const times = new Map<number, Time>()
  const labels = new Map<number, string>([[1, 'bug'], [2, 'later']]) // prettier-ignore
  const milestones = new Map<number, string>([[1, '2026-07-01T00:00:00Z']])
  const requests: string[] = []
  const authorizations = new Set<string | undefined>()
  /** Is called before a request is answered, with its number. */
  let before: (path: string) => void = () => {}
  /** Changes what is answered. */
  let answer: (
    path: string,
    records: unknown[],
  ) => { status?: number; records?: unknown[]; location?: string } = () => ({})

  const time = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
  const user = (login: string) => ({ id: login.length, login, full_name: '', email: `${login}@noreply.example` })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function listed(kind: string): { stamp: number; json: unknown }[] {
    const page = (issue: number) => `${address()}/${path}/issues/${issue}`
    if (kind === 'issues')
      return [...issues.values()].reverse().map((issue) => ({
        stamp: issue.updated,
        json: {
          id: issue.id + 1_000, number: issue.id, title: issue.title, body: issue.body, state: issue.isOpen ? 'open' : 'closed',
          html_url: page(issue.id), user: user('ann'), assignees: issue.assignees.length === 0 ? null : issue.assignees.map(user),
          labels: [...issue.labels].map((id) => ({ id, name: labels.get(id), color: 'ff0000' })),
          milestone: issue.milestone === undefined ? null : { id: issue.milestone, title: 'M', due_on: milestones.get(issue.milestone) },
          created_at: time(Date.parse('2026-05-01')), updated_at: time(issue.updated), closed_at: issue.isOpen ? null : time(issue.updated),
          comments: 0, pull_request: null, due_date: null, repository: { id: repositoryId, name: 'web' },
        },
      })) // prettier-ignore
    if (kind === 'comments')
      return [...comments.values()].map((comment) => ({
        stamp: comment.updated,
        json: {
          id: comment.id, html_url: `${page(comment.issue)}#issuecomment-${comment.id}`, issue_url: page(comment.issue), pull_request_url: '',
          user: user('bob'), body: comment.body, created_at: time(comment.updated), updated_at: time(comment.updated),
        },
      })) // prettier-ignore
    if (kind === 'times')
      // In no order that a client can know.
      return [...times.values()].sort((a, b) => (a.id % 7) - (b.id % 7)).map((entry) => ({
        stamp: entry.updated,
        json: {
          id: entry.id, created: time(entry.updated), time: entry.seconds, user_name: 'cat',
          issue: issues.has(entry.issue) ? { number: entry.issue, pull_request: null } : null,
        },
      })) // prettier-ignore
    if (kind === 'labels') return [...labels].map(([id, name]) => ({ stamp: 0, json: { id, name, color: 'ff0000' } }))
    return [...milestones].map(([id, due_on]) => ({ stamp: 0, json: { id, title: 'M', due_on } }))
  }

  function respond(request: IncomingMessage): { status: number; body: unknown; total?: number; location?: string } {
    const url = new URL(request.url!, address())
    const root = `/api/v1/repos/${path}`
    for (const old of oldPaths.map((one) => `/api/v1/repos/${one}`))
      if (url.pathname.startsWith(old))
        return { status: 301, body: {}, location: root + url.pathname.slice(old.length) }
    if (!url.pathname.startsWith(root)) return { status: 404, body: {} }
    const rest = url.pathname.slice(root.length)
    if (rest === '') return { status: 200, body: { id: repositoryId, full_name: path, has_issues: true } }
    const one = /^\/issues\/(comments\/)?(\d+)$/.exec(rest)
    if (one) return { status: (one[1] ? comments : issues).has(Number(one[2])) ? 200 : 404, body: {} }
    const kind = rest.split('/').at(-1)!
    const since = Date.parse(url.searchParams.get('since') ?? '1970-01-01')
    const all = listed(kind).filter(({ stamp }) => kind === 'labels' || kind === 'milestones' || stamp >= since)
    const first = (Number(url.searchParams.get('page')) - 1) * pageSize
    return { status: 200, body: all.slice(first, first + pageSize).map(({ json }) => json), total: all.length }
  }

  const server = createServer((request, response) => {
    requests.push(request.url!)
    authorizations.add(request.headers.authorization)
    before(request.url!)
    const own = respond(request)
    const changed = answer(request.url!, Array.isArray(own.body) ? own.body : [])
    response.statusCode = changed.status ?? own.status
    response.setHeader('date', new Date(now).toUTCString())
    if (own.total !== undefined) response.setHeader('x-total-count', own.total)
    const location = changed.location ?? own.location
    if (location !== undefined) response.setHeader('location', location)
    response.end(JSON.stringify(changed.records ?? own.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    address,
    labels,
    milestones,
    issues,
    comments,
    times,
    requests,
    authorizations,
    set before(listener: typeof before) {
      before = listener
    },
    set answer(listener: typeof answer) {
      answer = listener
    },
    /** The old path leads to the new one. */
    rename(to: string): void {
      oldPaths.push(path)
      path = to
    },
    set repositoryId(other: number) {
      repositoryId = other
    },
    /** The clock of the tracker goes on, so that the next stamps are later. */
    wait: (seconds: number) => void (now += seconds * 1_000),
    create(issue: Partial<Issue> = {}): Issue {
      const id = ++lastIssue
      const made = { id, title: `Issue ${id}`, body: 'text', isOpen: true, labels: new Set<number>(), assignees: [], milestone: undefined, ...issue, updated: now } // prettier-ignore
      issues.set(id, made)
      return made
    },
    edit: (id: number, change: Partial<Issue>) => void Object.assign(issues.get(id)!, change, { updated: now }),
    comment(issue: number, body = 'text'): Comment {
      const made = { id: ++lastId, issue, body, updated: now }
      comments.set(made.id, made)
      return made
    },
    editComment: (id: number, body: string) => void Object.assign(comments.get(id)!, { body, updated: now }),
    track(issue: number, seconds = 600): Time {
      const made = { id: ++lastId, issue, seconds, updated: now }
      times.set(made.id, made)
      return made
    },
    /** With its comments and times. */
    remove(id: number): void {
      issues.delete(id)
      for (const all of [comments, times]) for (const [key, { issue }] of all) if (issue === id) all.delete(key)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

export type FakeGitea = Awaited<ReturnType<typeof startFakeGitea>>
