// The results of an import: outcomes by kind, notes, and rows that cannot be imported.

import type { Session } from '../db/pool/connection.ts'
import { query } from '../db/statements/query.ts'
import type { PlannedChange } from './plan.ts'
import refusedSql from '../../sql/import/refused.sql'
import resultsSql from '../../sql/import/results.sql'

export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted'

export interface Invalid {
  line: number
  column: string
  value: string
  rule: string
}

/** The results of the statements. */
export interface Outcomes {
  kinds: { kind: string; outcome: Outcome; count: number; names: string[] }[]
  /** Notes for the user, with their counts. */
  notes: Map<string, number>
  invalid: Invalid[]
}

export interface ImportResult extends Outcomes {
  plan: readonly PlannedChange[]
  isCommitted: boolean
}

const readRefused = query<{ line: string; name: string; value: string; rule: string }>(refusedSql)
const readResults = query<{ kind: string; outcome: Outcome; n: number; names: string | null }>(resultsSql)

export async function readOutcomes(session: Session): Promise<Outcomes> {
  const refused = await readRefused(session, {})
  const rows = await readResults(session, {})
  return {
    kinds: rows
      .filter(({ kind }) => kind !== 'note')
      .map(({ kind, outcome, n, names }) => {
        return { kind, outcome, count: n, names: names === null ? [] : (JSON.parse(names) as string[]) }
      }),
    notes: new Map(rows.filter(({ kind }) => kind === 'note').map(({ outcome, n }) => [outcome, n])),
    invalid: refused.map(({ line, name, value, rule }) => ({ line: Number(line), column: name, value, rule })),
  }
}
