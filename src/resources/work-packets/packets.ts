// Reads the work packets of tasks and computes their digests.

import { setImmediate as nextTurn } from 'node:timers/promises'
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

// Other requests run after each packet of more characters, because it takes long to parse and to hash.
const longPacket = 100_000

const sql = include(packetsSql, { taskFields, taskTags, taskWatchers, documentFields, project: ':projectId::uuid' })
/** Everything is found by the ids of the task, so one plan is right for all of them. */
export const packetsQuery = query<Row>(sql, () => 'generic')

interface Row {
  taskId: string
  projectFound: boolean
  packet: string | null
}

/** The members of a packet that the service itself reads. A packet has more members. */
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

export interface DigestedPacket {
  packet: Packet
  digest: string
}

/** The result of a lookup, from one snapshot of the database. */
export interface PacketLookup {
  /** Throws the problem with status 404 if the project or the task does not exist. */
  getOrThrow(): DigestedPacket
}

export async function findPacket(db: Runner, projectId: string, taskId: string): Promise<PacketLookup> {
  const id = idInPath(taskId, 'task')
  return (await findPackets(db, projectId, [id])).get(id)!
}

/** Returns the lookups by task id. All tasks belong to one project. */
export async function findPackets(
  db: Runner,
  projectId: string,
  taskIds: readonly string[],
): Promise<Map<string, PacketLookup>> {
  const lookups = new Map<string, PacketLookup>()
  for (const row of await packetsQuery(db, { projectId, taskIds })) {
    lookups.set(row.taskId, toLookup(row))
    if (row.packet && row.packet.length > longPacket) await nextTurn()
  }
  return lookups
}

function toLookup({ projectFound, packet }: Row): PacketLookup {
  const found = packet === null ? undefined : parsePacket(packet)
  return {
    getOrThrow() {
      if (!found) throw notFound(projectFound ? 'task' : 'project')
      return found
    },
  }
}

function parsePacket(text: string): DigestedPacket {
  const packet = JSON.parse(text) as Packet
  return { packet, digest: digestOf(packet) }
}
