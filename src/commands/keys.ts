// workgate keys create|list|rotate|revoke|projects: manages API keys with the functions of schema workgate.

import { parseArgs, type ParseArgsConfig } from 'node:util'
import { keyPrefix } from '../api/access/key-detector.ts'
import type { Database } from '../db/database.ts'
import { serverError } from '../db/errors.ts'
import { query } from '../db/query.ts'
import { UsageError, type CommandContext } from './command-context.ts'
import { checkName, readExpires, readOperations, readProjects, readRateLimit, invalidOption } from './key-options.ts'
import { retryUntilAvailable, prepareSchema, withDatabase } from './with-database.ts'
import issueKeySql from '../../sql/keys/issue-key.sql'
import listKeysSql from '../../sql/keys/list-keys.sql'
import revokeKeySql from '../../sql/keys/revoke-key.sql'
import rotateKeySql from '../../sql/keys/rotate-key.sql'
import setKeyProjectsSql from '../../sql/keys/set-key-projects.sql'

const issueKey = query<{ key: string }>(issueKeySql)
const rotateKey = query<{ key: string }>(rotateKeySql)
const revokeKey = query(revokeKeySql)
const setKeyProjects = query(setKeyProjectsSql)
const listKeys = query<KeyRow>(listKeysSql)

interface KeyRow {
  name: string
  id: string
  status: string
  scopeMode: string
  projectIds: string
  operations: string
  rateLimitPerMinute: number | null
  expiresAt: string | null
  revokedAt: string | null
  createdAt: string
  lastUsedAt: string | null
}

export const keysUsage = `workgate keys create NAME (--all-projects | --projects ID,ID…)
                     [--operations create_project,create_task,complete_task]
                     [--rate-limit N] [--expires 2027-01-31T00:00:00Z]
workgate keys list [--json]
workgate keys rotate NAME [--overlap '24 hours']
workgate keys revoke NAME
workgate keys projects NAME --projects ID,ID…`

type Action = (db: Database, args: readonly string[]) => Promise<string>

const actions: Record<string, Action> = { create, list, rotate, revoke, projects }

export async function keys(context: CommandContext): Promise<void> {
  const [name = 'list', ...args] = context.args
  const action = Object.hasOwn(actions, name) ? actions[name]! : undefined
  if (!action) throw new UsageError(`unknown command "keys ${name}"\n\n${keysUsage}`)
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => prepareSchema(context, db))
    context.print(await action(db, args).catch(rethrowAsUsageError))
  })
}

async function create(db: Database, args: readonly string[]): Promise<string> {
  const { name, options } = parseNameAndOptions(args, {
    'all-projects': { type: 'boolean' },
    projects: { type: 'string' },
    operations: { type: 'string' },
    'rate-limit': { type: 'string' },
    expires: { type: 'string' },
  })
  if ((options['all-projects'] === true) === (options['projects'] !== undefined)) {
    throw new UsageError(`specify either --all-projects or --projects ID,ID…\n\n${keysUsage}`)
  }
  const [row] = await issueKey(db, {
    name: checkName(name),
    scopeMode: options['all-projects'] ? 'all_projects' : 'selected_projects',
    projectIds: readProjects(options) ?? [],
    operations: readOperations(options),
    rateLimitPerMinute: readRateLimit(options),
    expiresAt: readExpires(options),
  })
  return row!.key
}

async function rotate(db: Database, args: readonly string[]): Promise<string> {
  const { name, options } = parseNameAndOptions(args, { overlap: { type: 'string' } })
  const overlap = String(options['overlap'] ?? '24 hours')
  const [row] = await rotateKey(db, { name, overlap }).catch((error: unknown) => {
    // PostgreSQL parses the interval.
    if (!serverError(error)?.code.startsWith('22')) throw error
    throw invalidOption('--overlap', `an interval such as '24 hours'`, overlap)
  })
  return row!.key
}

async function revoke(db: Database, args: readonly string[]): Promise<string> {
  const { name } = parseNameAndOptions(args, {})
  await revokeKey(db, { name })
  return `The key "${name}" is revoked.`
}

async function projects(db: Database, args: readonly string[]): Promise<string> {
  const { name, options } = parseNameAndOptions(args, { projects: { type: 'string' } })
  const projectIds = readProjects(options)
  if (projectIds === null) throw new UsageError(`missing --projects ID,ID…\n\n${keysUsage}`)
  await setKeyProjects(db, { name, projectIds })
  return `The key "${name}" can access ${projectIds.length} project${projectIds.length === 1 ? '' : 's'}.`
}

async function list(db: Database, args: readonly string[]): Promise<string> {
  const { values } = parseOptions(args, { json: { type: 'boolean' } })
  const keyRows = (await listKeys(db, {})).map((row) => ({
    ...row,
    projectIds: row.scopeMode === 'all_projects' ? null : (JSON.parse(row.projectIds) as string[]),
    operations: JSON.parse(row.operations) as string[],
  }))
  if (values['json']) return JSON.stringify(keyRows, null, 2)
  if (keyRows.length === 0) return 'There are no keys. Create one: workgate keys create NAME --all-projects'
  return formatTable([
    ['NAME', 'ID', 'STATUS', 'PROJECTS', 'OPERATIONS', 'EXPIRES', 'LAST USED'],
    ...keyRows.map(({ name, id, status, projectIds, operations, expiresAt, lastUsedAt }) => [
      name,
      id,
      status,
      projectIds === null ? 'all' : String(projectIds.length),
      operations.join(',') || 'none',
      expiresAt ?? 'never',
      lastUsedAt ?? 'never',
    ]),
  ])
}

type OptionTypes = NonNullable<ParseArgsConfig['options']>

function parseNameAndOptions(args: readonly string[], options: OptionTypes) {
  const { values, positionals } = parseOptions(args, options, true)
  const [name, extra] = positionals
  if (positionals.some((text) => keyPrefix.test(text)))
    throw new UsageError('an argument is a key; use the name of the key instead')
  if (name === undefined) throw new UsageError(`missing key name\n\n${keysUsage}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${keysUsage}`)
  return { name, options: values }
}

function parseOptions(args: readonly string[], options: OptionTypes, allowPositionals = false) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${keysUsage}`)
  }
}

/** A value that a function or constraint of schema workgate refuses is a usage error. */
function rethrowAsUsageError(error: unknown): never {
  const server = serverError(error)
  if (!server || !/^(WG|22|23)/.test(server.code)) throw error
  const message = server.message.replace(/^expires_at /, '--expires ').replace(/^overlap /, '--overlap ')
  throw new UsageError([message, server.hint].filter(Boolean).join('. '))
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
