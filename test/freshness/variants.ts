// Variants of the service, broken on purpose. Each one sometimes returns stale data, which the checker has to find.

import type { Variant as Broken } from '../support/broken-variants.ts'
import type { Edit } from '../support/edited-build.ts'
import { shownTables } from '../support/shown-tables.ts'
import type { LoadName } from './check.ts'

export interface Variant extends Broken {
  /** A load that exposes the fault. */
  load: LoadName
}

const endpoint = 'src/api/endpoint.ts'
const freshness = 'src/api/freshness/freshness.ts'
const confirmed = 'src/api/freshness/confirmed-version.ts'
const responseCache = 'src/api/responses/response-cache.ts'
const keys = 'src/api/access/key-records.ts'
const reader = 'src/api/reads.ts'
const keyFile = 'src/api/access/key.ts'

const sameVersion = 'entry?.version === version ?'
const edit = (where: string, from: string, to: string): Edit => ({ in: where, from, to })

// prettier-ignore
const ofFiles: [name: string, ...edits: Edit[]][] = [
  ['responses are reused for 50 ms',
    edit(responseCache, sameVersion, 'entry && (entry.version === version || performance.now() - entry.at < 50) ?'),
    edit('src/api/responses/stored-responses.ts', 'bytes, names: new Set() })', 'bytes, names: new Set(), at: performance.now() })')],
  ['versions are those of the previous snapshot',
    edit(confirmed, "const scopeVersions = JSON.parse(versions ?? '[]') as string[]", `
      const now = JSON.parse(versions ?? '[]') as string[]
      const scopeVersions = scopes.map((scope, index) => before.get(scope) ?? now[index])
      scopes.forEach((scope, index) => before.set(scope, now[index]!))`),
    edit(confirmed, 'export function readVersions(', 'const before = new Map<string, string>()\nexport function readVersions(')],
  ['every If-None-Match matches',
    edit('src/api/responses/representation.ts', "matchesTag(headers['if-none-match'], etag) ?", "headers['if-none-match'] ?")],
  ['key records are cached forever',
    edit(keys, 'known?.version === keyVersion ? known', 'known ? known')],
  ['the last record of a key counts as that of a new version',
    edit(keys, 'found: undefined }', 'found: entries.get(name)?.found }')],
  ['key records depend on the version of another key',
    edit(freshness, 'export const keyScopeOf = (keyId: string) =>', 'let first\nexport const keyScopeOf = (keyId: string) => first ??=')],
  ['cached key records do not expire',
    edit('src/api/access/authenticate.ts', 'if (expiresAt && expiresAt <= at)', 'if (expiresAt && expiresAt <= at.slice(0, 4))')],
  ['remembered reads do not depend on the version',
    edit(reader, 'confirmed.version !== version || ', '')],
  ['remembered reads do not depend on the record of the key',
    edit(reader, 'confirmed.keyVersion === admission.confirmed.keyVersion', 'true')],
  ['remembered reads do not expire with the key',
    edit(reader, 'validUntil === null || confirmed.at < validUntil', 'true')],
  ['remembered reads do not depend on the key',
    edit(reader, "sha256(`${authorization?.join('\\n')}\\n\\n${apiKey?.join('\\n')}`)", "''")],
  ['a check of an earlier request counts',
    edit('src/api/access/authenticate.ts', 'for (let earlier = check; ; earlier = undefined)', 'for (let earlier = checked.get(digest) ?? check; ; earlier = undefined)'),
    edit('src/api/access/authenticate.ts', '        const admission = {', '        checked.set(digest, { scope, keyScope, confirmed })\n        const admission = {'),
    edit('src/api/access/authenticate.ts', 'const maxKnownRecords = 10_000', 'const maxKnownRecords = 10_000\nconst checked = new Map()')],
  ['versions do not include the directory',
    edit(confirmed, '`${scopeVersions[index]} ${directory} ${since}`', '`${scopeVersions[index]} ${since}`')],
  ['key records depend only on the directory',
    edit(confirmed, 'keyVersion: byScope.get(keyScope)!', 'keyVersion: directory')],
  ['lists of projects depend only on the directory',
    edit(keyFile, 'scope: all ? everyProject', `scope: all ? '00000000-0000-0000-0000-000000000000'`),
    edit(keyFile, "import { everyProject } from '../freshness/freshness.ts'\n", '')],
  ['lists of projects depend only on the first project of the key',
    edit(keyFile, "projectIds.join(',')", 'projectIds.slice(0, 1).join()')],
  ['the view of the key is missing from the cache key',
    edit(endpoint, '`${common} ${view.digest(key)}`', 'common')],
  ['the query is missing from the cache key',
    edit(endpoint, 'const common = `${path} ${queryText}`', 'const common = path')],
  ['names are resolved only once',
    edit(confirmed, 'ids.set(names[index]!, { projectId, taskId })', `
      if (projectId && !known.has(names[index])) known.set(names[index], { projectId, taskId })
      ids.set(names[index]!, known.get(names[index]) ?? { projectId, taskId })`),
    edit(confirmed, 'export function readVersions(', 'const known = new Map<string, NamedIds>()\nexport function readVersions(')],
  ['responses about a named project depend only on the directory',
    edit(confirmed, '`${version} ${directory} ${since}`', '`${directory} ${since}`')],
]

// prettier-ignore
const ofRaces: [name: string, ...edits: Edit[]][] = [
  ['the version is read after the body',
    edit(reader, 'respond(at.slice(0, 10), projectsOwnedBy(servers, owner, onStart))', 'respond(at.slice(0, 10), projectsOwnedBy(servers, owner, onStart)).then(async (response) => ({ ...response, later: (await admitAgain()).confirmed.version }))'),
    edit(responseCache, '    return representation\n  }\n\n  return {', '    return Object.assign(representation, { later: response.later })\n  }\n\n  return {'),
    edit(responseCache, 'store(cacheKey, version, representation)\n', 'store(cacheKey, representation.later, representation)\n')],
  ['a request joins a batch that has already been sent',
    edit(freshness, 'const batch = pending.filter((check) => !rejectDisconnected(check))\n    pending = []\n    if (batch.length === 0) return', `
      const early = pending.filter((check) => !rejectDisconnected(check))
      pending = []
      if (early.length === 0) return`),
    edit(freshness, 'askedFor(batch)', 'askedFor(early)'),
    edit(freshness, '[...new Set(batch.flatMap(({ places })', '[...new Set(early.flatMap(({ places })'),
    edit(freshness, 'const confirm = readVersions(scopes, names, row!, sourceAt)', `
      const confirm = readVersions(scopes, names, row!, sourceAt)
      const isAsked = ({ scope, keyScope }) => [scope, keyScope].every((one) => scopes.includes(one) || names.includes(one))
      const batch = [...early, ...pending.filter(isAsked)]
      pending = pending.filter((check) => !isAsked(check))`),
    edit(freshness, 'for (const { reject } of batch) reject(error)', 'for (const { reject } of early) reject(error)')],
  ['a request shares a response that is being created for an older version',
    edit(responseCache, 'if (current?.version !== version) {', 'if (!current) {'),
    // Delays responses, as large bodies would: they take longer than a commit and the next request.
    edit(reader, 'respond(at.slice(0, 10), projectsOwnedBy(servers, owner, onStart))', 'respond(at.slice(0, 10), projectsOwnedBy(servers, owner, onStart)).then((response) => new Promise((resolve) => setTimeout(resolve, 50, response)))')],
]

// prettier-ignore
const ofFunctions: [name: string, ...edits: Edit[]][] = [
  ['scopes recorded by a transaction are still remembered in the next one',
    edit('remember_scopes', '36000), true)', '36000), false)')],
  ['a statement records only one of its projects',
    edit('record_tasks', 'select n.project_id as scope from new_rows n union select o.project_id from old_rows o', 'select n.project_id as scope from new_rows n limit 1')],
  ['uncompacted changes are not counted',
    edit('versions_of', '(select coalesce(sum(c.increment), 0) from workgate.freshness_marks c where c.scope = a.scope and c.xid >= f.horizon)', '0')],
  ['compacted changes are not counted',
    edit('compact_marks', 'n = v.n + excluded.n', 'n = v.n')],
  ['the first uncompacted transaction is not counted',
    edit('versions_of', 'c.scope = a.scope and c.xid >= f.horizon', 'c.scope = a.scope and c.xid > f.horizon')],
]

// prettier-ignore
const ofCompaction: [name: string, ...edits: Edit[]][] = [
  ['compacted changes are not counted for the scope of all projects',
    edit('compact_marks', 'union all select all_scopes, increment from deleted', '')],
  ['transactions that run during a compaction are forgotten',
    edit('compact_marks', 'array(select pg_snapshot_xip(pg_current_snapshot()))', "'{}'")],
]

const tables = shownTables.map(({ table }) => table)
const events = ['insert', 'update', 'delete', 'truncate']
const triggersOf = (table: string) => events.map((event) => ({ table, name: `${table}_record_on_${event}` }))
const replicatedTrigger = (table: string) => ({ table, name: `${table}_record_replicated` })

/** A change of a task adds a history entry, which is recorded as well. */
const recordedTables = (table: string) => (table === 'tasks' ? ['tasks', 'task_history'] : [table])

/** The triggers that change the task or the comment of a row, which is recorded as well. */
const touching: Record<string, string[]> = {
  tags: ['tags_touch_tasks_on_update', 'tags_remove_from_tasks'],
  task_tags: ['insert', 'update', 'delete'].map((event) => `task_tags_touch_tasks_on_${event}`),
  task_watchers: ['insert', 'update', 'delete'].map((event) => `task_watchers_touch_tasks_on_${event}`),
  files: ['insert', 'update', 'delete'].map((event) => `files_touch_comments_on_${event}`),
}

const nothing = { load: 'broken' as const, files: [], functions: [], triggers: [] }
const groups: Variant[][] = [
  ofFiles.map(([name, ...files]) => ({ ...nothing, name, files })),
  ofRaces.map(([name, ...files]) => ({ ...nothing, name, load: 'races' as const, files })),
  ofFunctions.map(([name, ...functions]) => ({ ...nothing, name, functions })),
  ofCompaction.map(([name, ...functions]) => ({ ...nothing, name, load: 'races' as const, functions })),
  tables.map((table) => ({
    ...nothing,
    name: `changes of ${table} are not recorded`,
    triggers: [
      ...recordedTables(table).flatMap(triggersOf),
      ...(touching[table] ?? []).map((name) => ({ table, name })),
    ],
  })),
  [{ ...nothing, name: 'changes of replicated rows are not recorded', triggers: tables.map(replicatedTrigger) }],
]
export const variants = groups.flat()

/** At most five of each group, whose variants resemble each other. */
export const someVariants = groups.flatMap((group) => group.filter((_, n) => n % Math.ceil(group.length / 5) === 0))
