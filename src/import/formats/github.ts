// GitHub: issues and comments as in the REST API, and issues as printed by "gh issue list --json".

import * as v from 'valibot'
import type { FileInfo, JsonFormat } from '../format.ts'
import { readRecord } from '../read-record.ts'
import { descriptionIn, type Comment, type ImportedObject, type Person, type Task } from '../objects.ts'
import { moment } from '../staged.ts'
import { toolAt } from './hosts.ts'

const user = v.nullish(v.object({ login: v.string(), name: v.nullish(v.string()) }))
const labels = v.array(v.union([v.string(), v.object({ name: v.string(), color: v.nullish(v.string()) })]))

// Names with _ are those of the REST API, the others those of gh.
const issueSchema = v.object({
  number: v.number(),
  title: v.string(),
  body: v.nullish(v.string()),
  state: v.string(),
  state_reason: v.nullish(v.string()),
  stateReason: v.nullish(v.string()),
  html_url: v.optional(v.string()),
  url: v.optional(v.string()),
  user,
  author: user,
  assignees: v.optional(v.array(user)),
  labels: v.optional(labels),
  milestone: v.nullish(v.object({ title: v.string(), due_on: v.nullish(moment), dueOn: v.nullish(moment) })),
  type: v.nullish(v.object({ name: v.string() })),
  created_at: v.optional(moment),
  createdAt: v.optional(moment),
  updated_at: v.optional(moment),
  updatedAt: v.optional(moment),
  closed_at: v.nullish(moment),
  closedAt: v.nullish(moment),
  // The REST API has their number, and gh the comments themselves.
  comments: v.optional(v.union([v.number(), v.array(v.record(v.string(), v.unknown()))])),
})

const commentSchema = v.object({
  id: v.optional(v.union([v.string(), v.number()])),
  html_url: v.optional(v.string()),
  url: v.optional(v.string()),
  issue_url: v.optional(v.string()),
  body: v.nullish(v.string()),
  user,
  author: user,
  created_at: v.optional(moment),
  createdAt: v.optional(moment),
  updated_at: v.optional(moment),
})

type Comments = v.InferOutput<typeof commentSchema>

export const github: JsonFormat = {
  name: 'github',
  title: 'GitHub issues and comments (JSON)',
  how: 'use the GitHub CLI, or the REST API',
  command:
    'gh issue list --state all --limit 100000 --json number,title,body,state,stateReason,url,author,assignees,labels,milestone,createdAt,updatedAt,closedAt,comments > github.json',
  lost: 'pull requests, reactions, projects',
  type: 'json',
  recognizes: (record) =>
    isIssueComment(record) || ('number' in record && ('state' in record || 'title' in record) && !('iid' in record)),
  open:
    ({ origin }) =>
    (record) => {
      if (isIssueComment(record)) return readComment(readRecord(commentSchema, record), origin)
      if (record['pull_request']) return [{ kind: 'note', text: 'pull requests were left out' }]
      return readIssue(readRecord(issueSchema, record), origin)
    },
}

const isIssueComment = (record: Readonly<Record<string, unknown>>) => typeof record['issue_url'] === 'string'

function readIssue(issue: v.InferOutput<typeof issueSchema>, followed: FileInfo['origin']): ImportedObject[] {
  const url = issue.html_url ?? issue.url
  const origin = originOf(url, followed)
  const isOpen = issue.state.toLowerCase() === 'open'
  const isCancelled = /not_planned|duplicate/i.test(issue.state_reason ?? issue.stateReason ?? '')
  const closedAt = issue.closed_at ?? issue.closedAt
  const externalId = `${origin.repository}#${issue.number}`
  const { milestone, labels, assignees } = issue
  const task: Task = {
    ...origin.of,
    kind: 'task',
    type: issue.type && issue.type.name,
    externalId,
    externalUrl: url,
    number: issue.number,
    title: issue.title,
    ...descriptionIn('markdown', issue.body),
    state: isOpen ? 'open' : isCancelled ? 'cancelled' : 'completed',
    stage: { board: origin.board, name: isOpen ? 'Open' : 'Closed', category: isOpen ? 'backlog' : 'done' },
    assignees: assignees?.flatMap((one) => (one ? [personOf(one)] : [])),
    creator: personOrNull(issue.user ?? issue.author),
    dueDate: milestone === undefined ? undefined : ((milestone?.due_on ?? milestone?.dueOn)?.slice(0, 10) ?? null),
    fields: milestone === undefined ? undefined : { milestone: milestone?.title ?? null },
    completedAt: isOpen || isCancelled ? null : closedAt,
    cancelledAt: !isOpen && isCancelled ? closedAt : null,
    createdAt: issue.created_at ?? issue.createdAt,
    updatedAt: issue.updated_at ?? issue.updatedAt,
    tags: labels?.map((label) =>
      typeof label === 'string' ? { name: label } : { name: label.name, color: colorOf(label.color) },
    ),
  }
  const comments = Array.isArray(issue.comments) ? issue.comments : []
  return [
    task,
    ...comments.map((comment, n) =>
      commentOf(readRecord(commentSchema, comment, `comments.${n}`), externalId, origin.of),
    ),
  ]
}

function readComment(comment: Comments, followed: FileInfo['origin']): ImportedObject[] {
  const [, owner, repository, number] = /\/repos\/([^/]+)\/([^/]+)\/issues\/(\d+)$/.exec(comment.issue_url!) ?? []
  if (comment.html_url?.includes('/pull/')) return [{ kind: 'note', text: 'comments on pull requests were left out' }]
  const url = comment.html_url ?? `https://github.com/${owner}/${repository}/issues/${number}`
  const origin = originOf(url, followed)
  return [commentOf(comment, `${origin.repository}#${number}`, origin.of)]
}

function commentOf(comment: Comments, task: string, origin: Pick<Task, 'source' | 'project'>): Comment {
  const url = comment.html_url ?? comment.url
  return {
    ...origin,
    kind: 'comment',
    // gh prints another kind of id, but both have the number in the address.
    externalId: /#issuecomment-(\d+)$/.exec(url ?? '')?.[1] ?? String(comment.id ?? url),
    task,
    author: personOrNull(comment.user ?? comment.author),
    body: comment.body ?? '',
    bodyFormat: 'markdown',
    createdAt: comment.created_at ?? comment.createdAt,
    updatedAt: comment.updated_at,
  }
}

/** gh may have been asked for issues without their address. */
function originOf(url: string | undefined, followed: FileInfo['origin']) {
  const [, path] = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:issues|pull)\/\d+/.exec(url ?? '') ?? []
  const repository = followed?.path ?? path
  return {
    repository: repository ?? '',
    board: repository ?? 'GitHub',
    of: {
      source: followed?.source ?? `${toolAt('github', url)}:${repository ?? ''}`,
      project: repository === undefined ? undefined : { id: repository, name: repository.split('/')[1]! },
    },
  }
}

type User = NonNullable<v.InferOutput<typeof user>>
const personOf = ({ login, name }: User): Person => ({ login, name: name || login })
const personOrNull = (one: User | null | undefined) => one && personOf(one)
const colorOf = (color: string | null | undefined) =>
  color && /^[\da-f]{6}$/i.test(color) ? `#${color.toLowerCase()}` : undefined
