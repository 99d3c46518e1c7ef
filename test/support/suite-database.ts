// Gives a test file databases and services that end with it. Usage, at the top of the file:
// const { sql } = await suiteDatabase(insertData)

import { after } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { freshDatabase, type Sql } from './workgate.ts'

const works: (() => unknown)[] = []

// Not in atEnd(): a hook that is registered in a test or in another hook runs when that one ends.
after(async () => {
  for (const work of works.reverse()) await work()
})

/** Runs the work after the last test of the file, in reverse order: services stop before their databases are dropped. */
export const atEnd = (work: () => unknown): void => void works.push(work)

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
