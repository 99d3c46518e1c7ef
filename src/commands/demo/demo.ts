// workgate demo: fills an empty database with realistic data.

import { fillWithDemo, type DemoOptions } from './fill.ts'
import { isDay, today } from '../../api/input/values.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { fillFirst, refuseDistributed } from '../distribute/usable-cluster.ts'
import { explorerUrl } from '../page-addresses.ts'
import { parseOptions } from '../parse-options.ts'
import { retryUntilAvailable, prepareSchema, withDatabase } from '../with-database.ts'

export const demoUsage = `workgate demo [--projects 12] [--tasks 4000] [--until 2026-11-21]`

export async function demo(context: CommandContext): Promise<void> {
  const demoOptions = readDemoOptions(context.args)
  if (context.config.DATABASE_POOLER) {
    throw new UsageError(
      'demo needs a database session: set DATABASE_URL to the server itself, and leave DATABASE_POOLER empty',
    )
  }
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    await refuseDistributed(db, `demo cannot fill a distributed database: ${fillFirst}`)
    const counts = await fillWithDemo(db, demoOptions, context.progress)
    const lines = Object.entries(counts).map(([table, count]) => `${String(count).padStart(10)} ${table}`)
    context.print(`Created demo data up to ${demoOptions.until}:\n${lines.join('\n')}`)
    context.print(`Create a key: ${context.program} keys create demo --all-projects`)
    context.print(`See the projects: ${await explorerUrl(context.config, db)}`)
  })
}

function readDemoOptions(args: readonly string[]): DemoOptions {
  const text = { type: 'string' } as const
  const options = parseOptions(args, { projects: text, tasks: text, until: text }, demoUsage).values
  const projects = wholeNumber('--projects', options.projects ?? '12', 1, 10_000)
  const tasks = wholeNumber('--tasks', options.tasks ?? String(Math.max(4_000, projects)), projects, 10_000_000)
  return { projects, tasks, until: readUntil(options.until) }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d{1,12}$/.test(text) || value < min || value > max) {
    throw new UsageError(`${name} must be an integer between ${min} and ${max}\n\n${demoUsage}`)
  }
  return value
}

/** Defaults to today (UTC), so that two runs on the same day create the same rows. */
function readUntil(text = today()): string {
  if (!isDay(text) || text < '2000-01-01' || text > today()) {
    throw new UsageError(`--until must be a date from 2000-01-01 to ${today()}\n\n${demoUsage}`)
  }
  return text
}
