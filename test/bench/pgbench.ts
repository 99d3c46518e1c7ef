// PostgreSQL's own load generator, running the very statements that the service runs: what the database can do without us.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bind, type Params, type Query } from '../../src/db/query.ts'

const run = promisify(execFile)

export interface Pgbench {
  /** How many times a second. */
  rate(query: Query<unknown>, params: Params): Promise<number>
  /** The same of a script in pgbench's own language, with as many clients as named. */
  script(text: string, clients: number): Promise<number>
}

export function createPgbench(
  bin: string,
  databaseUrl: string,
  folder: string,
  clients: number,
  seconds: number,
): Pgbench {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const env = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    // As the service's connections have it.
    PGOPTIONS: '-c plan_cache_mode=force_custom_plan -c jit=off -c TimeZone=UTC',
  }
  async function tps(text: string, clients: number, more: string[] = []) {
    const file = join(folder, 'statement.sql')
    await writeFile(file, text)
    const load = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '2', '-T', `${seconds}`, '-f', file]
    const { stdout } = await run(join(bin, 'pgbench'), [...load, ...more, pathname.slice(1)], { env })
    return Number(/tps = ([\d.]+)/.exec(stdout)![1])
  }

  return {
    rate({ statement }, params) {
      const values = statement.names.map((name, n) => [name, bind(statement, params)[n]] as const)
      const defined = values.flatMap(([name, value]) => (value === null ? [] : ['-D', `${name}=${value}`]))
      return tps(script(statement.text, statement.names, params), clients, defined)
    },
    script: tps,
  }
}

/**
 * The statement with pgbench's variables. It takes each mention of one for a parameter of its own, and knows no null:
 * so each gets the type that its first cast names, and a null is written out.
 */
function script(text: string, names: readonly string[], params: Params): string {
  return text.replaceAll(/--[^\n]*/g, '').replaceAll(/\$(\d+)/g, (parameter, n: string) => {
    const name = names[Number(n) - 1]!
    const [, type] = new RegExp(`\\${parameter}::([a-z.]+(?:\\[\\])?)`).exec(text) ?? []
    const value = params[name] === null ? 'null' : `:${name}`
    return type ? `${value}::${type}` : value
  })
}
