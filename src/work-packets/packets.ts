// The packets of tasks, as the database has them, with their digests.

import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import { idInPath, notFound } from '../problem.ts'
import { digestOf } from './digest.ts'
import packetsSql from '../../sql/work-packets/packets.sql'

const findPackets = query<Row>(packetsSql)

interface Row {
  taskId: string
  projectFound: boolean
  moment: string
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
  history: { items: object[] }
  version: number
}

/** What is there of a task, from one snapshot. */
export interface Sight {
  /** Names the snapshot, see changes.ts. */
  moment: string
  /** Throws the 404. */
  found(): Found
}

export interface Found {
  packet: Packet
  digest: string
}

export async function lookAt(db: Database, projectId: string, taskId: string): Promise<Sight> {
  const id = idInPath(taskId, 'task')
  return (await lookAtAll(db, projectId, [id])).get(id)!
}

/** Tasks of one project, by their ids. */
export async function lookAtAll(
  db: Database,
  projectId: string,
  taskIds: readonly string[],
): Promise<Map<string, Sight>> {
  const rows = await findPackets(db, { projectId, taskIds })
  return new Map(rows.map((row) => [row.taskId, sightOf(row)]))
}

function sightOf({ projectFound, moment, packet }: Row): Sight {
  const found = packet === null ? undefined : readPacket(packet)
  return {
    moment,
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
