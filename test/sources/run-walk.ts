// Walks with the service that it was built with, on the database of the first argument: as many times as the second one
// says, until a violation. Prints a JSON report.

import { openDatabase } from '../../src/db/database.ts'
import { insertData } from '../support/data.ts'
import { connect } from '../support/workgate.ts'
import { walk, type Report } from './walk.ts'

const [url, walks] = process.argv.slice(2) as [string, string]
const sql = connect(url)
const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 30_000 })
await insertData(sql)
const total: Report = { violations: [], rounds: 0, drifted: 0, audits: 0, writes: 0 }
for (let seed = 1; seed <= Number(walks) && total.violations.length === 0; seed++) {
  // A first round reads everything, and the following ones windows.
  const report = await walk(sql, db, seed, seed % 2 === 0 ? 2 : 12)
  total.violations.push(...report.violations)
  for (const name of ['rounds', 'drifted', 'audits', 'writes'] as const) total[name] += report[name]
}
await db.close()
await sql.end()
console.log(JSON.stringify(total))
