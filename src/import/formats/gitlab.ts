// GitLab: issues, and notes on issues, as in the REST API.

import * as v from 'valibot'
import { day } from '../../api/writes/fields.ts'
import type { JsonFormat, JsonObject } from '../format.ts'
import { readRecord } from '../read-record.ts'
import {
  descriptionIn,
  type Comment,
  type ImportedObject,
  type Note,
  type OwnFields,
  type Person,
  type Task,
} from '../objects.ts'
import { moment } from '../staged.ts'
import { meaningOf } from './gitlab-labels.ts'
import { toolAt } from './hosts.ts'

const user = v.nullish(v.object({ username: v.string(), name: v.nullish(v.string()) }))

const issueSchema = v.object({
  iid: v.number(),
  project_id: v.number(),
  title: v.string(),
  description: v.nullish(v.string()),
  state: v.picklist(['opened', 'closed']),
  issue_type: v.nullish(v.string()),
  web_url: v.optional(v.string()),
  references: v.optional(v.object({ full: v.string() })),
  author: user,
  assignees: v.optional(v.array(user)),
  // With with_labels_details=true, labels are objects.
  labels: v.optional(v.array(v.union([v.string(), v.object({ name: v.string(), color: v.nullish(v.string()) })]))),
  due_date: v.nullish(day),
  milestone: v.nullish(v.object({ title: v.string() })),
  // Only paid versions have the following.
  weight: v.nullish(v.number()),
  iteration: v.nullish(
    v.object({ title: v.nullish(v.string()), start_date: v.nullish(day), due_date: v.nullish(day) }),
  ),
  epic: v.nullish(v.object({ title: v.string() })),
  health_status: v.nullish(v.string()),
  time_stats: v.optional(v.object({ time_estimate: v.nullish(v.number()), total_time_spent: v.nullish(v.number()) })),
  created_at: v.optional(moment),
  updated_at: v.optional(moment),
  closed_at: v.nullish(moment),
  moved_to_id: v.nullish(v.number()),
  confidential: v.nullish(v.boolean()),
  _links: v.optional(v.object({ closed_as_duplicate_of: v.nullish(v.string()) })),
})

const noteSchema = v.object({
  id: v.number(),
  body: v.string(),
  project_id: v.number(),
  noteable_iid: v.number(),
  author: user,
  created_at: v.optional(moment),
  updated_at: v.optional(moment),
  internal: v.nullish(v.boolean()),
  confidential: v.nullish(v.boolean()),
})

type Issue = v.InferOutput<typeof issueSchema>

/** The path of a project, and the host that it is on. */
interface Place {
  path: string
  tool: string
}

export const gitlab: JsonFormat = {
  name: 'gitlab',
  title: 'GitLab issues and their notes (JSON)',
  how: 'use the GitLab CLI, or the REST API; the notes of each issue can follow',
  command:
    'glab api --paginate "projects/:id/issues?scope=all&with_labels_details=true" > gitlab.json\nglab api --paginate projects/:id/issues/12/notes >> gitlab.json',
  lost: 'merge requests, system notes, totals of time spent',
  type: 'json',
  recognizes: (record) => isNote(record) || ('iid' in record && 'project_id' in record),
  open() {
    // A note contains the id of its project, and only issues also contain the path and the host, which are part of all ids.
    const places = new Map<number, Place>()
    return (record) => {
      if (!isNote(record)) {
        if ('source_branch' in record) return [note('merge requests were left out')]
        const issue = readRecord(issueSchema, record)
        const place = { path: pathOf(issue), tool: toolAt('gitlab', issue.web_url) }
        places.set(issue.project_id, place)
        return readIssue(issue, place)
      }
      if (record['system'] === true) return [note('system notes were left out')]
      if (record['noteable_type'] !== 'Issue') return [note('notes on other things than issues were left out')]
      const one = readRecord(noteSchema, record)
      const place = places.get(one.project_id)
      return place === undefined
        ? [note('notes before the first issue of their project were left out')]
        : readNote(one, place)
    }
  },
}

const isNote = (record: JsonObject) => typeof record['noteable_type'] === 'string'

function readIssue(issue: Issue, place: Place): ImportedObject[] {
  const { path } = place
  const isOpen = issue.state === 'opened'
  const names = issue.labels?.map((label) => (typeof label === 'string' ? label : label.name)) ?? []
  const { state, stage } = meaningOf(!isOpen, names, Boolean(issue._links?.closed_as_duplicate_of ?? issue.moved_to_id))
  const task: Task = {
    ...originOf(place),
    kind: 'task',
    type: issue.issue_type,
    externalId: `${path}#${issue.iid}`,
    externalUrl: issue.web_url,
    number: issue.iid,
    title: issue.title,
    ...descriptionIn('markdown', issue.description),
    state,
    stage: { board: path, ...stage },
    assignees: issue.assignees?.flatMap((one) => (one ? [personOf(one)] : [])),
    creator: issue.author && personOf(issue.author),
    dueDate: issue.due_date,
    // Zero means that there is no estimate.
    estimateSeconds: issue.time_stats && (issue.time_stats.time_estimate || null),
    fields: fieldsOf(issue),
    completedAt: state === 'completed' ? issue.closed_at : null,
    cancelledAt: state === 'cancelled' ? issue.closed_at : null,
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    tags: issue.labels?.map((label) =>
      typeof label === 'string' ? { name: label } : { name: label.name, color: colorOf(label.color) },
    ),
  }
  return [
    task,
    ...(issue.confidential ? [note('confidential issues became visible to all members of the project')] : []),
    ...(issue.time_stats?.total_time_spent ? [note('totals of time spent were left out, as they have no dates')] : []),
  ]
}

/** An iteration without a title is known by its days. */
function fieldsOf({ milestone, weight, iteration, epic, health_status: healthStatus }: Issue): OwnFields {
  const days = [iteration?.start_date, iteration?.due_date].filter(Boolean).join(' to ')
  const fields: [name: string, value: string | number | null | undefined][] = [
    ['milestone', milestone && milestone.title],
    ['weight', weight],
    ['iteration', iteration && (iteration.title || days)],
    ['epic', epic && epic.title],
    ['healthStatus', healthStatus],
  ]
  return Object.fromEntries(fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function readNote(one: v.InferOutput<typeof noteSchema>, place: Place): ImportedObject[] {
  const comment: Comment = {
    ...originOf(place),
    kind: 'comment',
    externalId: String(one.id),
    task: `${place.path}#${one.noteable_iid}`,
    author: one.author && personOf(one.author),
    body: one.body,
    bodyFormat: 'markdown',
    createdAt: one.created_at,
    updatedAt: one.updated_at,
  }
  const isInternal = one.internal ?? one.confidential
  return isInternal ? [comment, note('internal notes became visible to all members of the project')] : [comment]
}

const originOf = ({ path, tool }: Place) => ({
  source: `${tool}:${path}`,
  project: { id: path, name: path.split('/').at(-1)! },
})
const pathOf = ({ references, web_url: url, project_id: id }: Issue) =>
  references?.full.replace(/#\d+$/, '') ??
  /^https?:\/\/[^/]+\/(.+?)(?:\/-)?\/(?:issues|work_items)\/\d+$/.exec(url ?? '')?.[1] ??
  `project ${id}`

const personOf = ({ username, name }: NonNullable<Issue['author']>): Person => ({
  login: username,
  name: name || username,
})
const note = (text: string): Note => ({ kind: 'note', text })
const colorOf = (color: string | null | undefined) =>
  color && /^#[\da-f]{6}$/i.test(color) ? color.toLowerCase() : undefined
