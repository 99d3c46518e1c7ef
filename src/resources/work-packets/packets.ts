// The packets of tasks, as the database has them, with their digests.

import type { Runner } from '../../db/pool.ts'
import { include } from '../../db/include.ts'
import { query } from '../../db/query.ts'
import { notFound } from '../../api/problems/problem.ts'
import { idInPath } from '../../api/schema/path-id.ts'
import { digestOf } from './digest.ts'
import documentFields from '../../../sql/documents/document-fields.sql'
import taskFields from '../../../sql/tasks/task-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import packetsSql from '../../../sql/work-packets/packets.sql'

export const findPackets = query<Row>(include(packetsSql, { taskFields, taskTags, taskWatchers, documentFields }))

interface Row {
  taskId: string
  projectFound: boolean
  packet: string | null
}

/** What the house itself reads of a packet. There is more in it. */
export interface Packet {
  task: {
    id: string
    state: string
    stageId: string | null
    assigneeId: string | null
    priority: string
    completedAt: string | null
  }
  history: { items: { at: string }[] }
  version: number
}

/** What is there of a task, from one snapshot. */
export interface Sight {
  /** Throws the 404. */
  found(): Found
}

export interface Found {
  packet: Packet
  digest: string
}

export async function lookAt(db: Runner, projectId: string, taskId: string): Promise<Sight> {
  const id = idInPath(taskId, 'task')
  return (await findSights(db, projectId, [id])).get(id)!
}

/** Tasks of one project, by their ids. */
export async function findSights(
  db: Runner,
  projectId: string,
  taskIds: readonly string[],
): Promise<Map<string, Sight>> {
  const rows = await findPackets(db, { projectId, taskIds })
  return new Map(rows.map((row) => [row.taskId, sightOf(row)]))
}

function sightOf({ projectFound, packet }: Row): Sight {
  const found = packet === null ? undefined : readPacket(packet)
  return {
    found() {
      if (!found) throw notFound(projectFound ? 'task' : 'project')
      return found
    },
  }
}

function readPacket(text: string): Found {
  const packet = JSON.parse(text) as Packet
  return { packet, digest: digestOf(packet) }
}
