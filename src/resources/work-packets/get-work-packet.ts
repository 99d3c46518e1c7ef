// GET /projects/:projectId/tasks/:taskId/work-packet

import * as v from 'valibot'
import { jsonResponse } from '../../api/responses/response.ts'
import { lines, noView, readEndpoint, type EndpointDocs } from '../../api/endpoint.ts'
import { dataBody } from '../../api/schema/response-schemas.ts'
import { workPacket } from './work-packet.ts'
import { findPacket } from './packets.ts'

const docs: EndpointDocs = {
  operationId: 'getWorkPacket',
  tag: 'Work packets',
  summary: 'Get the work packet of a task',
  description: lines(
    'All that is stored about a task, from one snapshot of the database: to see, and to prove, that a change has landed,',
    'whichever channel it came by.',
    '',
    'Of subtasks, history, files and documents there are at most 50, and a flag says whether there are more.',
    '',
    '`digest` is `sha256:` and the SHA-256, in hex, of the packet without its `digest`, as canonical JSON (RFC 8785). It',
    'depends on nothing but what is in the packet, so that two packets with one digest are the same.',
  ),
}

export const getWorkPacket = readEndpoint({
  docs,
  query: v.object({}),
  response: dataBody(workPacket),
  view: noView,
  async read({ projectId, params }, db) {
    const lookup = await findPacket(db, projectId!, params['taskId']!)
    const { packet, digest } = lookup.getOrThrow()
    return jsonResponse(JSON.stringify({ data: { ...packet, digest } }))
  },
})
