// Gitea and Forgejo. Lists are in the order of creation (issues: newest first), `since` includes its second, and stamps are
// whole seconds. Renaming a label, changing a milestone, and editing or deleting a comment stamp no issue.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { github } from '../../import/formats/github.ts'
import type { ImportedObject } from '../../import/objects.ts'
import { readRecord } from '../../import/read-record.ts'
import { moment } from '../../import/staged.ts'
import { AnotherProject, Drifted, readObjects, type Item, type Kind, type Tracker } from '../adapter.ts'
import type { TrackerHttp } from '../http/http.ts'
import { TrackerError } from '../http/tracker-error.ts'

interface Place {
  /** Of the repository now: acme/web. */
  path: string
  /** What ids are derived from. It has the path that the repository had when it was added. */
  namespace: string
  /** Null until it is known. */
  trackerId: string | null
}

const pageSize = 50

const repositorySchema = v.object({ id: v.number(), full_name: v.string(), has_issues: v.boolean() })
const issueSchema = v.looseObject({
  number: v.number(),
  due_date: v.nullish(moment),
  milestone: v.nullish(v.looseObject({ title: v.string(), due_on: v.nullish(moment) })),
  labels: v.nullish(v.array(v.unknown())),
  assignees: v.nullish(v.array(v.unknown())),
  repository: v.nullish(v.looseObject({ id: v.number() })),
})
const commentSchema = v.looseObject({ id: v.number(), issue_url: v.nullish(v.string()) })
const timeSchema = v.object({
  id: v.number(),
  created: moment,
  time: v.number(),
  user_name: v.string(),
  issue: v.nullable(v.looseObject({ number: v.number(), pull_request: v.nullish(v.unknown()) })),
})
/** Of labels and milestones. */
const settingSchema = v.object({
  id: v.number(),
  name: v.optional(v.string()),
  color: v.optional(v.string()),
  title: v.optional(v.string()),
  due_on: v.nullish(v.string()),
})

type JsonRecord = Record<string, unknown>

const lists: Readonly<Record<Kind, string>> = {
  task: 'issues?state=all&type=issues&',
  comment: 'issues/comments?',
  timeEntry: 'times?',
}

export function createGitea(http: TrackerHttp, { path, namespace, trackerId }: Place): Tracker {
  const root = `/api/v1/repos/${path}`
  const firstPath = namespace.slice(namespace.indexOf(':') + 1)
  const project = { id: firstPath, name: firstPath.split('/')[1]! }
  const read = github.open({ name: firstPath, origin: { source: namespace, path: firstPath } })

  async function list(query: string) {
    const { status, data, headers, date } = await http.get(`${root}/${query}`)
    const total = Number(headers.get('x-total-count') ?? NaN)
    if (status !== 200) throw new TrackerError(`the tracker answers a list with ${status}`, status)
    if (!Array.isArray(data) || !Number.isSafeInteger(total) || !date)
      throw new TrackerError('the tracker answers a list without a total or a date', status)
    return { records: data as JsonRecord[], total, date }
  }

  async function all(query: string) {
    const first = await list(`${query}limit=${pageSize}&page=1`)
    const records = [...first.records]
    for (let page = 2; (page - 1) * pageSize < first.total; page++)
      records.push(...(await list(`${query}limit=${pageSize}&page=${page}`)).records)
    return { records, date: first.date }
  }

  function readIssue(record: JsonRecord): Item {
    const { number, due_date, milestone, labels, assignees, repository } = readRecord(issueSchema, record)
    if (trackerId !== null && repository && String(repository.id) !== trackerId) throw new AnotherProject()
    const due_on = due_date ?? milestone?.due_on ?? null
    const issue = { ...record, milestone: { title: milestone?.title ?? '', due_on }, labels: labels ?? [], assignees: assignees ?? [] } // prettier-ignore
    return { kind: 'task', externalId: String(number), ...readObjects(() => read(issue)) }
  }

  /** The issue is an address of a page, while GitHub has that of the API. Pull requests have none. */
  function readComment(record: JsonRecord): Item {
    const { id, issue_url } = readRecord(commentSchema, record)
    const number = /\/issues\/(\d+)$/.exec(issue_url ?? '')?.[1]
    const item = { kind: 'comment', externalId: String(id) } as const
    if (number === undefined) return { ...item, objects: [] }
    const issue = `/repos/${firstPath}/issues/${number}`
    return { ...item, parent: number, ...readObjects(() => read({ ...record, issue_url: issue })) }
  }

  function readTime(record: JsonRecord): Item {
    const { id, created, time, user_name, issue } = readRecord(timeSchema, record)
    if (issue === null) throw new Drifted('a time entry whose task is being deleted')
    const item = { kind: 'timeEntry', externalId: String(id) } as const
    if (issue.pull_request) return { ...item, objects: [] }
    const end = Date.parse(created)
    const entry: ImportedObject = {
      kind: 'time_entry',
      source: namespace,
      project,
      externalId: String(id),
      task: `${firstPath}#${issue.number}`,
      user: { login: user_name, name: user_name },
      spentOn: new Date(end).toISOString().slice(0, 10),
      startedAt: new Date(end - time * 1_000).toISOString(),
      endedAt: new Date(end).toISOString(),
    }
    return { ...item, parent: String(issue.number), objects: [entry] }
  }

  const readers: Readonly<Record<Kind, (record: JsonRecord) => Item>> = { task: readIssue, comment: readComment, timeEntry: readTime } // prettier-ignore

  return {
    kinds: ['comment', 'timeEntry', 'task'],
    overlapSeconds: 30,
    lagSeconds: 0,
    pageSize,
    newestFirst: { task: true, comment: false, timeEntry: false },
    isOrdered: { task: true, comment: true, timeEntry: false },

    async access() {
      const first = await http.get(root)
      const isMoved = first.status === 301 || first.status === 307
      const target = isMoved && http.pathOf(first.headers.get('location') ?? '', root)
      const { status, data } = target ? await http.get(target) : first
      if (status !== 200) return { state: 'closed', why: `the tracker answers with ${status}` }
      const { id, full_name, has_issues } = readRecord(repositorySchema, data as JsonRecord)
      if (isMoved) return { state: 'moved', trackerId: String(id), path: full_name }
      return has_issues
        ? { state: 'open', trackerId: String(id) }
        : { state: 'closed', why: 'the repository has no issues' }
    },

    async settings() {
      const labels = await all('labels?')
      const milestones = await all('milestones?state=all&')
      const read = [...labels.records, ...milestones.records].map((record) => readRecord(settingSchema, record))
      return { digest: createHash('sha256').update(JSON.stringify(read)).digest('hex'), now: labels.date }
    },

    async page(kind, number, since) {
      const from = since ? `since=${since.toISOString().slice(0, 19)}Z&` : ''
      const { records, total } = await list(`${lists[kind]}${from}limit=${pageSize}&page=${number}`)
      return { items: records.map(readers[kind]), total }
    },

    async fate(kind, externalId) {
      // An entry cannot be asked for alone.
      if (kind === 'timeEntry') return 'deleted'
      const { status } = await http.get(`${root}/issues/${kind === 'task' ? externalId : `comments/${externalId}`}`)
      if (status === 200) return 'present'
      if (status === 301 || status === 307) return 'moved'
      return status === 404 || status === 410 ? 'deleted' : 'unknown'
    },
  }
}
