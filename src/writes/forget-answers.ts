// Answers are kept for their Idempotency-Key for a day; what is older goes now and then.

import type { Database } from '../db/database.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { query } from '../db/query.ts'
import type { Log } from '../log.ts'
import forgetAnswersSql from '../../sql/writes/forget-answers.sql'

const forgetAnswers = query(forgetAnswersSql)
const intervalMs = 600_000

export function forgetAnswersInTime(db: Database, log: Log): { close(): void } {
  const timer = setInterval(() => void forget(), intervalMs)
  timer.unref()
  void forget()

  async function forget() {
    try {
      await forgetAnswers(db, {})
    } catch (error) {
      const away = error instanceof DatabaseUnavailable
      log.warn('old answers to writes could not be removed', {
        cause: away ? 'the database cannot serve' : 'unexpected',
      })
    }
  }

  return { close: () => clearInterval(timer) }
}
