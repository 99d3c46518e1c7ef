// GET /projects/:projectId/tasks/:taskId/work-packet/verification

import * as v from 'valibot'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint } from '../http/endpoint.ts'
import { expectations, refuseNone, verify } from './expectations.ts'
import { lookAt } from './packets.ts'

const secondsMessage = 'takes seconds from 0 to 30, with up to three decimals'

const wait = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,2}(\.\d{1,3})?$/, secondsMessage),
    v.transform(Number),
    v.maxValue(30, secondsMessage),
  ),
  '0',
)

export const verifyWorkPacket = endpoint(
  v.object({ ...expectations, wait }),
  async ({ projectId, params, query: { wait, ...expected }, ...request }, { db, waiting }) => {
    refuseNone(expected)
    const { moment, found } = await lookAt(db, projectId!, params['taskId']!)
    const verification = verify(expected, found())
    const data =
      verification.verified || wait === 0
        ? verification
        : await waiting.wait({
            ...request,
            projectId: projectId!,
            taskId: verification.taskId,
            version: verification.version,
            moment,
            verification,
            wholePacket: expected.digest !== null,
            judge: (found) => verify(expected, found),
            seconds: wait,
          })
    return jsonAnswer(JSON.stringify({ data }))
  },
)
