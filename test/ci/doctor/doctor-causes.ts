// Problems of a database, the doctor's finding for each, and the SQL that causes and reverts it. The service's role is
// keeper.

import type { Finding } from '../../../src/commands/doctor/finding.ts'

// prettier-ignore
export const causes: [claim: string, check: string, state: Finding['state'], finding: RegExp, cause: string[], revert: string[]][] = [
  ['read-only transactions', 'writes', 'fault', /read-only/,
    ['alter database service set default_transaction_read_only = on'], ['set default_transaction_read_only = off', 'alter database service reset default_transaction_read_only']],
  ['full_page_writes turned off', 'durability', 'fault', /full_page_writes is off/,
    ['alter system set full_page_writes = off', 'select pg_reload_conf()', 'select pg_sleep(0.2)'], ['alter system reset full_page_writes', 'select pg_reload_conf()', 'select pg_sleep(0.2)']],
  ['commits that do not wait for the disk', 'durability', 'warning', /synchronous_commit is off/,
    ['alter role keeper set synchronous_commit = off'], ['alter role keeper reset synchronous_commit']],
  ['a timeout that closes idle connections', 'upkeep', 'warning', /idle_session_timeout closes/,
    [`alter role keeper set idle_session_timeout = '1min'`], ['alter role keeper reset idle_session_timeout']],
  ['a connection limit of the role that is too low', 'connections', 'fault', /opens up to 13 connections; the limit is 12,/,
    ['alter role keeper connection limit 12'], ['alter role keeper connection limit -1']],
  ['a connection limit of the database that is too low', 'connections', 'fault', /the limit is 11,/,
    ['alter database service connection limit 11'], ['alter database service connection limit -1']],
  ['a connection limit that other connections use up', 'connections', 'warning', /the limit is 13, and others use [1-9]/,
    ['alter role keeper connection limit 13'], ['alter role keeper connection limit -1']],
  ['an edited migration', 'migrations', 'fault', /^migration 0002-projects was edited/,
    [`update workgate.migrations set checksum = 'x' || checksum where name = '0002-projects'`], [`update workgate.migrations set checksum = substr(checksum, 2) where name = '0002-projects'`]],
  ['a migration from a newer version', 'migrations', 'fault', /^the database contains migration 9999-later/,
    [`insert into workgate.migrations (name, checksum) values ('9999-later', 'x')`], [`delete from workgate.migrations where name = '9999-later'`]],
  ['a superuser', 'role', 'warning', /^keeper is a superuser/,
    ['alter role keeper superuser'], ['alter role keeper nosuperuser']],
  ['no key at all', 'keys', 'warning', /^0 valid keys: no key can access/,
    ['update workgate.api_keys set revoked_at = now()'], ['update workgate.api_keys set revoked_at = null']],
  ['a key that has expired', 'keys', 'ok', /^1 valid key; expired: over; never used: first$/,
    [`select workgate.issue_key('over', 'all_projects')`, `update workgate.api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where name = 'over'`], [`delete from workgate.api_keys where name = 'over'`]],
  ['a key that expires soon', 'keys', 'warning', /^2 valid keys; never used: .*; expiring within 7 days: soon\.$/,
    [`select workgate.issue_key('soon', 'all_projects', expires_at => now() + interval '6 days')`], [`delete from workgate.api_keys where name = 'soon'`]],
  ['an unused key', 'keys', 'warning', /; not used for 90 days: old\.$/,
    [`select workgate.issue_key('old', 'all_projects')`, `update workgate.api_keys set created_at = now() - interval '91 days' where name = 'old'`], [`delete from workgate.api_keys where name = 'old'`]],
  ['too many changes that were not compacted', 'compaction', 'warning', /^Rows .*: more than 100,000 in workgate.freshness_marks, \d+ in workgate.tally_deltas\.$/,
    ['truncate workgate.freshness_marks', 'insert into workgate.freshness_marks select gen_random_uuid(), pg_current_xact_id() from generate_series(1, 100001)'], []],
  ['changes that were not compacted, within the limit', 'compaction', 'ok', /^Rows .*: 100,000 in workgate.freshness_marks, \d+ in workgate.tally_deltas$/,
    ['delete from workgate.freshness_marks where ctid = (select ctid from workgate.freshness_marks limit 1)'], ['truncate workgate.freshness_marks']],
  ['a journal whose old entries are not deleted', 'journal', 'warning', /^The journal of changes takes \d+ kB, and its oldest entry is 32 days old\.$/,
    [`insert into workgate.journal (scope, xid, kind, id, event, at, channel, actor) values (gen_random_uuid(), '1', 'task', gen_random_uuid(), 'updated', now() - interval '32 days', 'sql', '{}')`], [`delete from workgate.journal where xid = '1'`]],
  ['too many tally deltas that were not compacted', 'compaction', 'warning', /^Rows .*: 0 in workgate.freshness_marks, more than 100,000 in workgate.tally_deltas\.$/,
    [`insert into workgate.tally_deltas select id, 'comments', '-infinity', '', '', 0, 0 from workgate.projects, generate_series(1, 34000)`], [`delete from workgate.tally_deltas where n = 0 and seconds = 0`]],
]
