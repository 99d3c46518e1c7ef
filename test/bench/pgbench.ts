// Runs the service's statements with pgbench, PostgreSQL's load generator: the rate of the database without the
// service.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Figures } from './race.ts'
import { planSettings, type Plans } from '../../src/db/pool/plan-settings.ts'
import type { Query } from '../../src/db/statements/query.ts'
import { bind, type Params } from '../../src/db/statements/template.ts'

const run = promisify(execFile)

/** The settings of the service's connections. */
const optionsOf = (plans: Plans) =>
  Object.entries({ ...planSettings(plans), TimeZone: 'UTC' })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** Extended: the statement is sent and planned anew each time, as through a pooler. */
export type Mode = 'prepared' | 'extended'

export interface Pgbench {
  /** Runs a statement for a second, by default prepared once for each session. */
  statement(query: Query<unknown>, params: Params, clients: number, mode?: Mode): Promise<Figures>
  /**
   * Runs a pgbench script for some seconds, as fast as possible unless `perSecond` limits its rate. Its sessions have the
   * default settings, like those of any other SQL client.
   */
  script(text: string, clients: number, seconds?: number, perSecond?: number): Promise<Figures>
}

/** Connections are slow in their first second, while they load metadata. With a warm-up, that second is not counted. */
export function createPgbench(bin: string, databaseUrl: string, folder: string, warmUpSeconds: number): Pgbench {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const env = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  }

  async function lastSecond(
    text: string,
    clients: number,
    seconds: number,
    more: string[],
    mode: Mode = 'prepared',
    settings = '',
  ): Promise<Figures> {
    const file = join(folder, 'statement.sql')
    await writeFile(file, text)
    const load = ['-n', '-M', mode, '-P', '1', '-c', `${clients}`, '-j', '2', '-T', `${seconds}`, '-f', file]
    const { stdout, stderr } = await run(join(bin, 'pgbench'), [...load, ...more, pathname.slice(1)], {
      env: { ...env, PGOPTIONS: settings },
    })
    const [, rate] = [...stderr.matchAll(/progress: .* s, ([\d.]+) tps/g)].at(-1) ?? /tps = ([\d.]+)/.exec(stdout)!
    return { rate: Number(rate) }
  }

  return {
    statement(query, params, clients, mode) {
      const statement = query.statementFor(params)
      const values = statement.names.map((name, n) => [name, bind(statement, params)[n]] as const)
      const defined = values.flatMap(([name, value]) => (value === null ? [] : ['-D', `${name}=${value}`]))
      return lastSecond(
        script(statement.text, statement.names, params),
        clients,
        1 + warmUpSeconds,
        defined,
        mode,
        optionsOf(mode === 'extended' ? 'custom' : (statement.plans ?? 'custom')),
      )
    },
    script: (text, clients, seconds = 1 + warmUpSeconds, perSecond = 0) =>
      lastSecond(text, clients, seconds, perSecond > 0 ? ['-R', `${perSecond}`] : []),
  }
}

/**
 * Replaces the parameters of a statement with pgbench's variables. pgbench makes each occurrence a parameter of its own
 * and has no null, so each gets the type of the parameter's first cast, and nulls are written as literals.
 */
function script(text: string, names: readonly string[], params: Params): string {
  return text.replaceAll(/--[^\n]*/g, '').replaceAll(/\$(\d+)/g, (parameter, n: string) => {
    const name = names[Number(n) - 1]!
    const [, type] = new RegExp(`\\${parameter}::([a-z.]+(?:\\[\\])?)`).exec(text) ?? []
    const value = params[name] === null ? 'null' : `:${name}`
    return type ? `${value}::${type}` : value
  })
}
