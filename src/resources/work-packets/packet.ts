// Finds the work packet of a task and computes its digest.

import { include } from '../../db/statements/template.ts'
import { query } from '../../db/statements/query.ts'
import { notFound } from '../../api/problems/problem.ts'
import documentFields from '../../../sql/documents/document-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import { deletionOf, taskDeleted, type Deletion } from '../tasks/deletion.ts'
import { taskJson } from '../tasks/task-json.ts'
import packetTemplate from '../../../sql/work-packets/packet.sql'
import { createHash } from 'node:crypto'

export const packetSql = include(packetTemplate, {
  taskJson,
  taskTags,
  taskWatchers,
  documentFields,
  deletion: deletionOf(':taskId'),
  project: ':projectId::uuid',
})
/** Everything is found by the ids of the task, so one plan is right for all of them. */
export const packetQuery = query<PacketRow>(packetSql, () => 'generic')

export interface PacketRow {
  projectFound: boolean
  packet: string | null
  deletion: string | null
}

/** The members of a packet that the service itself reads. A packet has more members. */
interface Packet {
  task: { id: string; state: string }
  history: { items: { at: string }[] }
  version: number
}

export interface DigestedPacket {
  packet: Packet
  digest: string
}

/** Throws the 404 if the project or the task does not exist, or the 410 if the task is known to have been deleted. */
export function openPacket({ projectFound, packet: text, deletion }: PacketRow): DigestedPacket {
  if (text !== null) {
    const packet = JSON.parse(text) as Packet
    return { packet, digest: digestOf(packet) }
  }
  if (projectFound && deletion !== null) throw taskDeleted(JSON.parse(deletion) as Deletion)
  throw notFound(projectFound ? 'task' : 'project')
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
