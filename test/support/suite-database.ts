// Gives a test file databases and services that end with it. Usage, at the top of the file:
// const { sql } = await suiteDatabase(insertData)

import { after } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { freshDatabase, type Sql } from './workgate.ts'

const works: (() => unknown)[] = []

/** Runs the work after the last test of the file, in reverse order: services stop before their databases are dropped. */
export function atEnd(work: () => unknown): void {
  if (works.push(work) > 1) return
  after(async () => {
    for (const one of works.reverse()) await one()
  })
}

/** Creates a database with the schema, and with the rows that the function inserts. */
export async function suiteDatabase(insert?: (sql: Sql) => unknown, template?: string) {
  const database = await freshDatabase(template)
  try {
    await insert?.(database.sql)
  } catch (error) {
    // Hooks do not run if the file fails to load.
    await database.drop()
    throw error
  }
  atEnd(database.drop)
  return database
}

/** Opens a database as the service does. */
export function suitePool(url: string, { poolSize = 1, statementTimeoutMs = 30_000 } = {}): Database {
  const db = openDatabase({ target: { url }, poolSize, statementTimeoutMs })
  atEnd(() => db.close())
  return db
}
