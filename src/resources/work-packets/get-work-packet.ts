// GET /projects/:projectId/tasks/:taskId/work-packet

import * as v from 'valibot'
import { jsonResponse } from '../../api/responses/response.ts'
import { idInPath } from '../../api/input/object-names.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { dataBody } from '../../api/responses/response-schemas.ts'
import { workPacket } from './work-packet.ts'
import { openPacket, packetQuery } from './packet.ts'

export const getWorkPacket = readEndpoint({
  docs: {
    operationId: 'getWorkPacket',
    tag: 'Work packets',
    summary: 'Get the work packet of a task',
    description: lines(
      'Returns everything that is stored about a task, from one snapshot of the database. Use it to prove that a',
      'change was committed, whichever channel it came through.',
      '',
      'Subtasks, history entries, files and documents are limited to 50 each. If there are more, a flag is `true`:',
      '`truncated`, `filesTruncated` or `documentsTruncated`.',
      '',
      '`digest` is `sha256:` followed by the SHA-256, in hex, of the packet without `digest`, as canonical JSON (RFC',
      '8785). It depends only on the contents of the packet, so two packets with the same digest are equal.',
      '',
      '`410 TASK_DELETED` means that the task existed. `deletion` contains when it was deleted, through which channel and',
      'by whom. See [deleted tasks](/docs/verification#deleted-tasks).',
    ),
  },
  query: v.object({}),
  response: dataBody(workPacket),
  refusals: ['TASK_DELETED'],
  view: noView,
  async read({ projectId, params }, db) {
    const [row] = await packetQuery(db, { projectId, taskId: idInPath(params['taskId']!, 'task') })
    const { packet, digest } = openPacket(row!)
    return jsonResponse(JSON.stringify({ data: { ...packet, digest } }))
  },
})
