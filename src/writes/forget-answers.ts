// Answers are kept for their Idempotency-Key for a day; what is older goes now and then.

import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import type { Log } from '../log.ts'
import { nowAndThen } from '../now-and-then.ts'
import forgetAnswersSql from '../../sql/writes/forget-answers.sql'

const forgetAnswers = query<{ some: boolean }>(forgetAnswersSql)
const intervalMs = 600_000

export function forgetAnswersInTime(db: Database, log: Log): { close(): void } {
  const turns = nowAndThen(log, intervalMs, 'old answers to writes could not be removed', async () => {
    while ((await forgetAnswers(db, {}))[0]!.some);
  })
  void turns.run()
  return turns
}
