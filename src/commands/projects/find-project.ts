// Finds a project and everything that it contains, for workgate projects show and delete.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { unknownProject } from './usages.ts'
import describeProjectSql from '../../../sql/projects/describe-project.sql'
import findProjectSql from '../../../sql/projects/find-project.sql'

export interface ProjectDescription {
  key: string
  name: string
  id: string
  status: string
  startDate: string | null
  dueDate: string | null
  owner: Person | null
  members: (Person & { role: string })[]
  boards: { name: string; archived: boolean; stages: { name: string; category: string }[] }[]
  tasks: { open: number; completed: number; cancelled: number }
  comments: number
  timeEntries: { count: number; seconds: number }
  documents: number
  /** Those that work. */
  keys: { name: string; scopeMode: string; hasOtherProjects: boolean }[]
  /** Options of imports. */
  savedOptions: { name: string; options: string[] }[]
  lastChangeAt: string
}

interface Person {
  id: string
  name: string
  email: string | null
}

const find = query<{ id: string }>(findProjectSql)
const describe = query<{ project: string }>(describeProjectSql)

/** With Citus, only a statement about one known project runs on one node, so its id is found first. */
export async function findProject(db: Database, key: string): Promise<ProjectDescription> {
  const [found] = await find(db, { key })
  const [row] = found ? await describe(db, { projectId: found.id }) : []
  if (!row) throw unknownProject(key)
  return JSON.parse(row.project) as ProjectDescription
}

export const count = (n: number, one: string, several = `${one}s`) =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : several}`

export const hours = (seconds: number) =>
  `${(seconds / 3_600).toLocaleString('en-US', { maximumFractionDigits: 1 })} hours`
