// The types of the responses, from the schemas that the API documents.

import type { InferOutput } from 'valibot'
import type { keySchema } from '../../resources/keys/get-key.ts'
import type { overview } from '../../resources/analytics/overview.ts'
import type { progress } from '../../resources/analytics/progress.ts'
import type { timeReport } from '../../resources/analytics/time-report.ts'
import type { board } from '../../resources/boards/board.ts'
import type { stage } from '../../resources/boards/stage.ts'
import type { comment } from '../../resources/comments/comment.ts'
import type { taskFile } from '../../resources/files/task-file.ts'
import type { user } from '../../resources/people/user.ts'
import type { project } from '../../resources/projects/project.ts'
import type { projectSummary, summaryTotals } from '../../resources/projects/project-summary.ts'
import type { task } from '../../resources/tasks/task.ts'
import type { timeEntry } from '../../resources/time-entries/time-entry.ts'
import type { workPacket } from '../../resources/work-packets/work-packet.ts'

export type Key = InferOutput<typeof keySchema>
export type Project = InferOutput<typeof project>
export type ProjectSummary = InferOutput<typeof projectSummary>
export type SummaryTotals = InferOutput<typeof summaryTotals>
export type Overview = InferOutput<typeof overview>
export type Progress = InferOutput<typeof progress>
export type TimeReport = InferOutput<typeof timeReport>
export type Board = InferOutput<typeof board>
export type Stage = InferOutput<typeof stage>
export type User = InferOutput<typeof user>
export type Task = InferOutput<typeof task>
export type Comment = InferOutput<typeof comment>
export type TaskFile = InferOutput<typeof taskFile>
export type TimeEntry = InferOutput<typeof timeEntry>
export type WorkPacket = InferOutput<typeof workPacket>

export interface Data<Value> {
  data: Value
}

export interface Page<Item> {
  data: Item[]
  meta: { limit: number; nextCursor: string | null; hasMore: boolean }
}
