// Reads the work packets of tasks and computes their digests.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Runner } from '../../db/pool/pool.ts'
import { include } from '../../db/statements/template.ts'
import { query } from '../../db/statements/query.ts'
import { notFound } from '../../api/problems/problem.ts'
import { idInPath } from '../../api/input/object-names.ts'
import documentFields from '../../../sql/documents/document-fields.sql'
import taskFields from '../../../sql/tasks/task-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import { taskDeleted, type Deletion } from './deletion.ts'
import packetsSql from '../../../sql/work-packets/packets.sql'
import { createHash } from 'node:crypto'

// Other requests run after each packet of more characters, because it takes long to parse and to hash.
const longPacket = 100_000

const sql = include(packetsSql, { taskFields, taskTags, taskWatchers, documentFields, project: ':projectId::uuid' })
/** Everything is found by the ids of the task, so one plan is right for all of them. */
export const packetsQuery = query<Row>(sql, () => 'generic')

interface Row {
  taskId: string
  projectFound: boolean
  packet: string | null
  deletion: string | null
}

/** The members of a packet that the service itself reads. A packet has more members. */
interface Packet {
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

/**
 * Returns what was found, in one snapshot of the database. Throws the 404 if the project or the task does not exist, or the
 * 410 if the task is known to have been deleted.
 */
export type GetPacket = () => DigestedPacket

export async function findPacket(db: Runner, projectId: string, taskId: string): Promise<DigestedPacket> {
  const id = idInPath(taskId, 'task')
  return (await findPackets(db, projectId, [id])).get(id)!()
}

/** Returns the results by task id. All tasks belong to one project. */
export async function findPackets(
  db: Runner,
  projectId: string,
  taskIds: readonly string[],
): Promise<Map<string, GetPacket>> {
  const results = new Map<string, GetPacket>()
  for (const row of await packetsQuery(db, { projectId, taskIds })) {
    results.set(row.taskId, toResult(row))
    if (row.packet && row.packet.length > longPacket) await nextTurn()
  }
  return results
}

function toResult({ projectFound, packet: text, deletion }: Row): GetPacket {
  const packet = text === null ? undefined : (JSON.parse(text) as Packet)
  const found = packet && { packet, digest: digestOf(packet) }
  return () => {
    if (found) return found
    if (projectFound && deletion !== null) throw taskDeleted(JSON.parse(deletion) as Deletion)
    throw notFound(projectFound ? 'task' : 'project')
  }
}

/** SHA-256 over the canonical JSON of a packet (RFC 8785). The guide to verification shows the same computation for clients. */
export function digestOf(packet: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(packet)).digest('hex')}`
}

/**
 * Takes a value from JSON.parse. Names are sorted by UTF-16 code units; numbers and strings are serialized as in
 * ECMAScript. Numbers are exact: constraints keep stored numbers below 2^53, and sums of time would need 28,000 entries
 * of 10,000 years each to get there.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
