// Reads the lines of a cursor in fetches of limited size, whatever the size of a line.

import type { Session } from '../db/pool/connection.ts'
import { query } from '../db/statements/query.ts'
import fetchLinesSql from '../../sql/backup/fetch-lines.sql'

const fetchNext = query<{ line: string }>(fetchLinesSql)
const maxBytes = 262_144

/** Yields the lines of each fetch: one line if it is larger than the limit. */
export async function* fetchLines(session: Session, cursor: string): AsyncGenerator<string[]> {
  for (;;) {
    const rows = await fetchNext(session, { cursor, maxBytes })
    if (rows.length === 0) return
    yield rows.map(({ line }) => line)
  }
}
