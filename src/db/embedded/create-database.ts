// Creates the database in the embedded server.

import postgres from 'postgres'

interface Address {
  host: string
  port: number
  user: string
  database: string
}

const noSuchDatabase = '3D000'
/** The second is the unique index on names, which is what most processes that create it at the same time violate. */
const databaseExists = ['42P04', '23505']

/** Always connects, and so also checks that the server responds. */
export async function createDatabaseIfMissing(address: Address): Promise<void> {
  try {
    await runStatement(address, 'select 1')
  } catch (error) {
    if (codeOf(error) !== noSuchDatabase) throw error
    await runStatement({ ...address, database: 'postgres' }, `create database ${address.database}`).catch((cause) => {
      // Another process created it at the same time.
      if (!databaseExists.includes(codeOf(cause)!)) throw cause
    })
  }
}

async function runStatement(address: Address, statement: string): Promise<void> {
  const sql = postgres({ ...address, max: 1, fetch_types: false, connect_timeout: 30, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
