// workgate keys create|list|rotate|revoke|projects: manages API keys with the functions of schema workgate.

import { keyPrefix } from '../api/access/credentials.ts'
import type { Database } from '../db/database.ts'
import { serverError } from '../db/errors.ts'
import { query } from '../db/statements/query.ts'
import { escapeText } from '../runtime/text-lines.ts'
import { UsageError, type CommandContext } from './command-context.ts'
import { checkName, readExpires, readOperations, readProjects, readRateLimit, invalidOption } from './key-options.ts'
import { formatTable } from './format-table.ts'
import { parseOptions, type OptionTypes } from './parse-options.ts'
import { asTyped } from './program.ts'
import { runAction, type Action } from './run-action.ts'
import findProjectsSql from '../../sql/keys/find-projects.sql'
import issueKeySql from '../../sql/keys/issue-key.sql'
import listKeysSql from '../../sql/keys/list-keys.sql'
import revokeKeySql from '../../sql/keys/revoke-key.sql'
import rotateKeySql from '../../sql/keys/rotate-key.sql'
import setKeyProjectsSql from '../../sql/keys/set-key-projects.sql'

const findProjects = query<{ name: string; id: string | null }>(findProjectsSql)
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
  projectKeys: string
  operations: string
  rateLimitPerMinute: number | null
  expiresAt: string | null
  revokedAt: string | null
  createdAt: string
  lastUsedAt: string | null
}

/** By action. */
export const keysUsages: Readonly<Record<string, string>> = {
  create: `workgate keys create NAME (--all-projects | --projects PROJECT,PROJECT…)
    [--operations create_project,create_task,complete_task]
    [--rate-limit N] [--expires 2027-01-31T00:00:00Z]`,
  list: 'workgate keys list [--json]',
  rotate: `workgate keys rotate NAME [--overlap '24 hours']`,
  revoke: 'workgate keys revoke NAME',
  projects: 'workgate keys projects NAME --projects PROJECT,PROJECT…',
}

export const keysUsage = Object.values(keysUsages).join('\n')

const actions: Record<string, Action> = {
  create: checked(create),
  list,
  rotate: checked(rotate),
  revoke: checked(revoke),
  projects: checked(projects),
}

export const keys = (context: CommandContext) => runAction('keys', actions, keysUsage, context)

/** The database refuses wrong values of arguments. */
function checked(action: Action): Action {
  return (args, context) => {
    const run = action(args, context)
    return (db) => run(db).catch(rethrowAsUsageError)
  }
}

function create(args: readonly string[]) {
  const { name, options } = parseNameAndOptions('create', args, {
    'all-projects': { type: 'boolean' },
    projects: { type: 'string' },
    operations: { type: 'string' },
    'rate-limit': { type: 'string' },
    expires: { type: 'string' },
  })
  if ((options['all-projects'] === true) === (options['projects'] !== undefined)) {
    throw new UsageError(`specify either --all-projects or --projects PROJECT,PROJECT…\n\n${keysUsages['create']}`)
  }
  const given = {
    name: checkName(name),
    scopeMode: options['all-projects'] ? 'all_projects' : 'selected_projects',
    operations: readOperations(options),
    rateLimitPerMinute: readRateLimit(options),
    expiresAt: readExpires(options),
  }
  const projectNames = readProjects(options) ?? []
  return async (db: Database) => {
    const [row] = await issueKey(db, { ...given, projectIds: await resolveProjects(db, projectNames) })
    return row!.key
  }
}

function rotate(args: readonly string[]) {
  const { name, options } = parseNameAndOptions('rotate', args, { overlap: { type: 'string' } })
  const overlap = String(options['overlap'] ?? '24 hours')
  return async (db: Database) => {
    const [row] = await rotateKey(db, { name, overlap }).catch((error: unknown) => {
      // PostgreSQL parses the interval.
      if (!serverError(error)?.code.startsWith('22')) throw error
      throw invalidOption('--overlap', `an interval such as '24 hours'`, overlap)
    })
    return row!.key
  }
}

function revoke(args: readonly string[]) {
  const { name } = parseNameAndOptions('revoke', args, {})
  return async (db: Database) => {
    await revokeKey(db, { name })
    return `The key "${name}" is revoked.`
  }
}

function projects(args: readonly string[]) {
  const { name, options } = parseNameAndOptions('projects', args, { projects: { type: 'string' } })
  const projectNames = readProjects(options)
  if (projectNames === null) throw new UsageError(`missing --projects PROJECT,PROJECT…\n\n${keysUsages['projects']}`)
  return async (db: Database) => {
    const projectIds = await resolveProjects(db, projectNames)
    await setKeyProjects(db, { name, projectIds })
    return `The key "${name}" can access ${projectIds.length} project${projectIds.length === 1 ? '' : 's'}.`
  }
}

/** Returns the ids of projects that are given by key or id. */
async function resolveProjects(db: Database, names: readonly string[]): Promise<string[]> {
  const found = await findProjects(db, { names })
  const unknown = found.filter(({ id }) => id === null).map(({ name }) => name)
  if (unknown.length > 0) throw new UsageError(`no project has the key ${unknown.join(', ')}`)
  return [...new Set(found.map(({ id }) => id!))]
}

function list(args: readonly string[], { program }: CommandContext) {
  const { values } = parseOptions(args, { json: { type: 'boolean' } }, keysUsages['list']!)
  return async (db: Database) => {
    const keyRows = (await listKeys(db, {})).map((row) => ({
      ...row,
      ...(row.scopeMode === 'all_projects'
        ? { projectIds: null, projectKeys: null }
        : {
            projectIds: JSON.parse(row.projectIds) as string[],
            projectKeys: JSON.parse(row.projectKeys) as string[],
          }),
      operations: JSON.parse(row.operations) as string[],
    }))
    if (values.json) return JSON.stringify(keyRows, null, 2)
    if (keyRows.length === 0)
      return asTyped('There are no keys. Create one: workgate keys create NAME --all-projects', program)
    return formatTable([
      ['NAME', 'ID', 'STATUS', 'PROJECTS', 'OPERATIONS', 'EXPIRES', 'LAST USED'],
      ...keyRows.map(({ name, id, status, projectKeys, operations, expiresAt, lastUsedAt }) => [
        escapeText(name),
        id,
        status,
        describeProjects(projectKeys),
        operations.join(',') || 'none',
        expiresAt ?? 'never',
        describeLastUse(lastUsedAt),
      ]),
    ])
  }
}

const maxShownProjects = 3

function describeProjects(keys: readonly string[] | null): string {
  if (keys === null) return 'all projects'
  if (keys.length === 0) return 'none'
  const more = keys.length - maxShownProjects
  return escapeText(keys.slice(0, maxShownProjects).join(', ')) + (more > 0 ? ` and ${more} more` : '')
}

/** The service records uses every half minute, so a key may have been used again since. */
const inUseMs = 60_000

function describeLastUse(at: string | null): string {
  if (at === null) return 'none recorded'
  return Date.now() - Date.parse(at) < inUseMs ? 'in use' : at
}

function parseNameAndOptions(action: string, args: readonly string[], options: OptionTypes) {
  const usage = keysUsages[action]!
  const { values, positionals } = parseOptions(args, options, usage, true)
  const [name, extra] = positionals
  if (positionals.some((text) => keyPrefix.test(text)))
    throw new UsageError('an argument is a key; use the name of the key instead')
  if (name === undefined) throw new UsageError(`missing key name\n\n${usage}`)
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"\n\n${usage}`)
  return { name, options: values }
}

/** A value that a function or constraint of schema workgate refuses is a usage error. */
function rethrowAsUsageError(error: unknown): never {
  const server = serverError(error)
  if (!server || !/^(WG|22|23)/.test(server.code)) throw error
  const message = server.message.replace(/^expires_at /, '--expires ').replace(/^overlap /, '--overlap ')
  throw new UsageError([message, server.hint].filter(Boolean).join('. '))
}
