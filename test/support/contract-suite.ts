// The set-up of a test file for the API: a service on a database of its own, rows, a key, and helpers that send requests.
// At the top of the file: const { get, sql } = await contractSuite({ data: 'basic' })

import { after } from 'node:test'
import { insertData, insertStrangers } from './data.ts'
import type { Run } from './environment.ts'
import { insertTasks } from './tasks.ts'
import { openWorkgate, type KeyOptions, type Reply, type Sql, type Workgate } from './workgate.ts'
import { post as postJson } from './writes.ts'

/** What a file can start with; without one, the database has the schema and no rows. */
const dataSets = {
  /** The projects Web, App and Old, with users, boards and three tasks. */
  basic: insertData,
  /** And rows of App that match whatever a test asks of Web. */
  strangers: async (sql: Sql) => {
    await insertData(sql)
    await insertStrangers(sql)
  },
  /** And tasks that use every field, in place of the three. */
  tasks: async (sql: Sql) => {
    await insertData(sql)
    await insertTasks(sql)
  },
}

interface ContractSuiteOptions {
  data?: keyof typeof dataSets
  /** The key that get and post use: by default for all projects, all operations and without a limit; false: none. */
  key?: (KeyOptions & { name?: string }) | false
  /** Settings of the service. */
  environment?: Record<string, string>
  /** By default as the run says: in process, or the artifact. */
  target?: Run['target']
}

export interface ContractSuite extends Pick<Workgate, 'sql' | 'send' | 'issueKey'> {
  workgate: Workgate
  key: string
  /** get('/projects') requests the path below the API's path. */
  get(path: string, key?: string): Promise<Reply>
  /** Sends the body as JSON; a string goes as it is. */
  post(path: string, body?: unknown, headers?: Record<string, string>, key?: string): Promise<Reply>
}

/**
 * Opens all that once, and closes it after the last test of the file. What the file inserts besides follows at the top level,
 * awaited: node:test would run a file-level before() at once, and not wait for it.
 */
export async function contractSuite(options: ContractSuiteOptions = {}): Promise<ContractSuite> {
  const workgate = await openWorkgate(options.environment, options.target)
  after(() => workgate.close())
  try {
    if (options.data) await dataSets[options.data](workgate.sql)
    const { name = 'suite', ...keyOptions } = options.key || {}
    const key = options.key === false ? '' : await workgate.issueKey(name, keyOptions)
    return {
      workgate,
      sql: workgate.sql,
      send: workgate.send,
      issueKey: workgate.issueKey,
      key,
      get: (path, as = key) => workgate.send(`GET ${path}`, { key: as }),
      post: (path, body, headers, as = key) => postJson(workgate, as, path, body, headers),
    }
  } catch (error) {
    // No hook runs for a file that cannot be loaded.
    await workgate.close()
    throw error
  }
}
