// A page of changes costs what it contains, not what there is: neither the size of the project, nor what has changed
// elsewhere, nor what is left for later pages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Params } from '../../../src/db/statements/template.ts'
import { findNewEntries } from '../../../src/api/follow-journals.ts'
import { kinds } from '../../../src/resources/changes/change.ts'
import { findChanges } from '../../../src/resources/changes/change-statements.ts'
import { idOf, idSql as uuid, planSuite } from './plan-suite.ts'

const project = idOf('003', 1)
const directory = '00000000-0000-0000-0000-000000000000'
/** 500 transactions, which a new cluster has already had, changed 120 tasks each, a third of them in the project. */
const entries = 60_000

const epoch = '00000000-0000-7000-8000-000000000001'

const { pagesRead, explain } = await planSuite(
  `
    insert into workgate.users (id, name) select ${uuid('001', 'n')}, n from generate_series(1, 500) n;
    insert into workgate.projects (id, key, name) select ${uuid('003', 'n')}, 'P' || n, n from generate_series(1, 3) n;
    insert into workgate.project_members (project_id, user_id) select p.id, u.id from workgate.projects p, workgate.users u;
    insert into workgate.tasks (project_id, id, number, title) select p.id, ${uuid('006', 'n')}, n, n from workgate.projects p, generate_series(1, 20000) n;
    insert into workgate.comments (project_id, id, task_id, body) select p.id, ${uuid('007', 'n')}, ${uuid('006', 'n')}, 'x' from workgate.projects p, generate_series(1, 20000) n;
    insert into workgate.journal (scope, xid, kind, id, event, at, channel, actor)
      select ${uuid('003', '1 + n % 3')}, (100 + n / 120)::text::xid8, 'task', ${uuid('006', '1 + n % 20000')}, 'updated', now(), 'sql', '{}'
      from generate_series(0, ${entries - 1}) n;
    insert into workgate.api_keys (id, name, key_hash, scope_mode, project_ids, operations)
      select '0123456789ab', 'k', sha256('k'), 'selected_projects', array_agg(id), '{}' from workgate.projects;
    insert into workgate.epochs (n, id, journal, started, lsn) values (1, '${epoch}', workgate.journal_identity(), pg_postmaster_start_time(), coalesce(pg_last_wal_replay_lsn(), '0/0'));
  `,
  'vacuum analyze',
)

const start: Params = {
  projectIds: [project],
  base: null,
  epoch,
  lsn: '0',
  filling: null,
  xid: null,
  seq: '0',
  project: directory,
  rank: -3,
  id: directory,
  kinds: [...kinds],
  limit: 20,
  maxBytes: 524_288,
}

// prettier-ignore
const pages: [claim: string, params: Params, most: number][] = [
  ['the beginning', { filling: true }, 300],
  ['the middle of all comments', { filling: true, base: '600:600:', project, rank: 6, id: idOf('007', 9_000) }, 300],
  ['a page without changes', { base: '600:600:' }, 60],
  ['the first of many changes', { base: '100:100:' }, 400],
  ['the middle of them', { base: '350:350:' }, 400],
  ['changes of transactions that were running', { base: `101:600:${Array.from({ length: 100 }, (_, n) => 101 + 4 * n).join()}` }, 3_000],
  ['the rest of a transaction', { base: '300:300:', xid: '300' }, 400],
]
const reaches: [of: string, reach: Params][] = [
  ['of one project', { projectIds: [project] }],
  ['of a selection', { projectIds: null, keyId: '0123456789ab' }],
  ['of all projects', { projectIds: null, all: true }],
]
for (const [of, reach] of reaches) {
  for (const [claim, params, most] of pages) {
    test(`${claim} ${of} reads at most ${most} database pages`, async () => {
      const read = await pagesRead(findChanges, { ...start, ...params, ...reach })
      assert.ok(read <= most, `${read} pages`)
      assert.doesNotMatch(await explain(findChanges, { ...start, ...params, ...reach }), /Seq Scan|Bitmap/)
    })
  }
}

// prettier-ignore
const polls: [claim: string, base: string, most: number][] = [
  ['finds nothing', '600:600:', 20],
  ['finds the changes of the last transaction', '599:599:', 60],
  ['finds those of transactions that were running', '101:600:101,599', 60],
  ['finds too many', '100:100:', 1_000],
]
for (const [claim, base, most] of polls) {
  test(`a poll of waiting requests that ${claim} reads at most ${most} database pages`, async () => {
    const read = await pagesRead(findNewEntries, { base })
    assert.ok(read <= most, `${read} pages`)
    assert.doesNotMatch(await explain(findNewEntries, { base }), /Seq Scan/)
  })
}
