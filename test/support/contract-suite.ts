// Sets up an API test file: a service with its own database, rows, a key, and helpers that send requests.
// Usage, at the top of the file: const { get, sql } = await contractSuite({ data: 'basic' })

import { after } from 'node:test'
import { insertData, insertStrangers } from './data.ts'
import type { Run } from './environment.ts'
import { insertTasks } from './tasks.ts'
import { openWorkgate, type ChangeDatabase, type KeyOptions, type Reply, type Sql, type Workgate } from './workgate.ts'
import { post as postJson } from './writes.ts'

/** The initial rows that a file can choose. By default, the database has the schema and no rows. */
const dataSets = {
  /** The projects Web, App and Old, with users, boards and three tasks. */
  basic: insertData,
  /** Basic, and rows of App that would match the same filters as those of Web. */
  strangers: async (sql: Sql) => {
    await insertData(sql)
    await insertStrangers(sql)
  },
  /** Basic, with tasks that use every field in place of the three. */
  tasks: async (sql: Sql) => {
    await insertData(sql)
    await insertTasks(sql)
  },
}

interface ContractSuiteOptions {
  data?: keyof typeof dataSets
  /** The key of get and post: by default for all projects and operations, without a rate limit; false: no key. */
  key?: (KeyOptions & { name?: string }) | false
  /** Settings of the service. */
  environment?: Record<string, string>
  /** In process or the artifact; the default is that of the run. */
  target?: Run['target']
  changeDatabase?: ChangeDatabase
}

export interface ContractSuite extends Pick<Workgate, 'sql' | 'send' | 'issueKey'> {
  workgate: Workgate
  key: string
  /** The path is relative to the API's path: get('/projects'). */
  get(path: string, key?: string): Promise<Reply>
  /** Sends the body as JSON; a string is sent unchanged. */
  post(path: string, body?: unknown, headers?: Record<string, string>, key?: string): Promise<Reply>
}

/**
 * Sets everything up once, and closes it after the last test of the file. Insert further rows at the top level, with
 * await: node:test runs a file-level before() immediately and does not wait for it.
 */
export async function contractSuite(options: ContractSuiteOptions = {}): Promise<ContractSuite> {
  const workgate = await openWorkgate(options.environment, options.target, options.changeDatabase)
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
    // Hooks do not run if the file fails to load.
    await workgate.close()
    throw error
  }
}
