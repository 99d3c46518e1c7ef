// GET /projects/:projectId/tasks/:taskId/work-packet

import * as v from 'valibot'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint } from '../http/endpoint.ts'
import { lookAt } from './packets.ts'

export const showWorkPacket = endpoint(v.object({}), async ({ projectId, params }, db) => {
  const { found } = await lookAt(db, projectId!, params['taskId']!)
  const { packet, digest } = found()
  return jsonAnswer(JSON.stringify({ data: { ...packet, digest } }))
})
