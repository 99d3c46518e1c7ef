// Formats findings: one sentence for each check, and advice if something is wrong.

import { escapeText } from '../../runtime/text-lines.ts'

export interface Outcome {
  state: 'ok' | 'warning' | 'fault'
  finding: string
  advice: string | null
}

export interface Finding extends Outcome {
  check: CheckName
}

/** Warning: the service works, but not well or not for long. Fault: it does not work, or may lose data. */
export const ok = (finding: string): Outcome => ({ state: 'ok', finding, advice: null })
/** Nothing is wrong, but the operator may want to know. */
export const hint = (finding: string, advice: string): Outcome => ({ state: 'ok', finding, advice })
export const warning = (finding: string, advice: string): Outcome => ({ state: 'warning', finding, advice })
export const fault = (finding: string, advice: string): Outcome => ({ state: 'fault', finding, advice })

export function formatFinding({ check, state, finding, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(12)} ${escapeText(finding)}`
  return advice === null ? line : `${line}\n${' '.repeat(22)}${escapeText(advice)}`
}

const maxNames = 10

/** Lists the first names, and counts the others. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - maxNames
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** In the order in which they run. */
// prettier-ignore
export const doctorChecks = [
  { name: 'certificate', examines: 'With TLS: the certificate is valid now and for at least 14 more days' },
  { name: 'files',       examines: 'On Linux: the open-file limit of the user who runs the doctor is high enough for MAX_CONNECTIONS' },
  { name: 'load',        examines: 'If the service is running with METRICS_LISTEN: no client was refused because of a limit that many connections or costly requests reach' },
  { name: 'version',     examines: 'PostgreSQL 14 or later' },
  { name: 'text',        examines: 'The encoding is UTF8, and the locale maps the case of non-ASCII letters' },
  { name: 'writes',      examines: 'The server is not a standby, and transactions are not read-only' },
  { name: 'durability',  examines: 'fsync, full_page_writes and synchronous_commit are on' },
  { name: 'upkeep',      examines: 'autovacuum is on, and no timeout closes idle connections' },
  { name: 'connections', examines: 'The limits of the server, the database and the role allow DATABASE_POOL connections, 2 more for each worker and 1 for commands, in addition to those that others use' },
  { name: 'session',     examines: 'The settings that the service requests when it connects are in effect; a connection pooler may drop them' },
  { name: 'clock',       examines: 'The clocks of the database and this machine differ by at most 2 seconds' },
  { name: 'space',       examines: 'The size of the database; for the embedded one also the free space of DATA_DIR: less than 1 GB or a tenth of the database is a warning, less than 100 MB is a fault' },
  { name: 'role',        examines: 'The role has the privileges that the service needs and is not a superuser; in the embedded database, it is workgate_api, which the service creates' },
  { name: 'migrations',  examines: 'All migrations are applied, none was edited, and none is from a newer version' },
  { name: 'cluster',     examines: 'If Citus distributes the database: every node can be reached and is prepared; the checks after this one are not run, except for keys' },
  { name: 'schema',      examines: 'All tables, views, indexes, constraints, functions and triggers that the migrations create exist; missing ones, for example after a partial restore, are named' },
  { name: 'replicas',    examines: 'With DATABASE_REPLICAS: each is a standby of DATABASE_URL that can be reached, follows its current history, and has replayed all but the last 16 MB of its log' },
  { name: 'keys',        examines: 'The number of valid keys, and the keys that have expired, expire within 7 days, were never used, were not used for 90 days, or are in API_KEYS and easy to guess' },
  { name: 'compaction',  examines: 'The number of rows in freshness_marks and tally_deltas that wait for compaction; more than 100,000 is a warning: the service, which compacts them, may not be running' },
  { name: 'journal',     examines: 'The size of the journal of changes, and its oldest entry; if it is more than a day older than CHANGES_KEPT_DAYS, this is a warning: the service, which deletes such entries, may not be running, or a transaction may have been open for that long' },
  { name: 'stages',      examines: 'The number of completed tasks in other stages although their board has a done stage; this is a hint, not a warning' },
  { name: 'triggers',    examines: 'All triggers, those of foreign keys included, are enabled for the right replication role; --repair fixes them' },
  { name: 'orphans',     examines: 'No row refers to a row that does not exist, as after deletions while foreign keys were disabled; --repair asks before it removes such rows' },
  { name: 'tallies',     examines: 'The tallies of every project match its rows; this check takes a while if there are many rows; --repair fixes them' },
  { name: 'database',    examines: 'Reported only if an error ends the checks, for example if the database cannot be reached' },
] as const satisfies readonly { name: string; examines: string }[]

export type CheckName = (typeof doctorChecks)[number]['name']
