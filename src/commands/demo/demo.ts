// workgate demo: fills an empty database with believable data.

import { parseArgs } from 'node:util'
import { fillWithDemo, NotEmpty, type Brief } from './fill.ts'
import { isDay, today } from '../../api/schema/values.ts'
import { UsageError, type Host } from '../host.ts'
import { patiently, prepareSchema, withDatabase } from '../with-database.ts'

export const demoUsage = `workgate demo [--projects 12] [--tasks 4000] [--until 2026-11-21]`

export async function demo(host: Host): Promise<void> {
  const brief = readBrief(host.args)
  if (host.config.DATABASE_POOLER) {
    throw new UsageError(
      'demo works in a session of its own: give it the DATABASE_URL of the server, without DATABASE_POOLER',
    )
  }
  await withDatabase(host, async (db) => {
    await patiently(host, () => prepareSchema(host, db))
    const counts = await fillWithDemo(db, brief, host.log).catch((error: unknown) => {
      throw error instanceof NotEmpty ? new UsageError(error.message) : error
    })
    const lines = Object.entries(counts).map(([what, count]) => `${String(count).padStart(10)} ${what}`)
    host.print(`The database is filled, up to ${brief.until}:\n${lines.join('\n')}`)
    host.print(`Make a key: ${host.program} keys create demo --all-projects`)
  })
}

function readBrief(args: readonly string[]): Brief {
  const options = readOptions(args)
  const projects = wholeNumber('--projects', options.projects ?? '12', 1, 10_000)
  const tasks = wholeNumber('--tasks', options.tasks ?? String(Math.max(4_000, projects)), projects, 10_000_000)
  return { projects, tasks, until: day(options.until) }
}

function readOptions(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    return parseArgs({ args: [...args], options: { projects: text, tasks: text, until: text } }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${demoUsage}`)
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d{1,12}$/.test(text) || value < min || value > max) {
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}\n\n${demoUsage}`)
  }
  return value
}

/** Without the option it is today, so that two runs on one day (UTC) give the same rows. */
function day(text = today()): string {
  if (!isDay(text) || text < '2000-01-01' || text > today()) {
    throw new UsageError(`--until must be a day from 2000-01-01 to ${today()}\n\n${demoUsage}`)
  }
  return text
}
