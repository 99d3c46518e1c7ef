// The changes of a project: at the beginning every object, and then whatever changes, page by page. test/changes/ compares
// copies with the lists while everything changes.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { directory } from '../../src/api/freshness/freshness.ts'
import {
  decodeReading,
  encodeReading,
  type KnownJournal,
  type Bookmark,
} from '../../src/resources/changes/change-cursor.ts'
import { short, type Change, type ChangePage as Page } from '../support/change-pages.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'
import { onServers } from '../support/places.ts'
import { chooser } from '../support/random.ts'

const { workgate, sql, get, post } = await contractSuite({ data: 'basic' })
const changesOf = (project: string, parameters: Record<string, string> = {}) =>
  get(`/projects/${project}/changes?${new URLSearchParams(parameters)}`)

async function pageOf(parameters: Record<string, string> = {}, project = web): Promise<Page> {
  const { status, body } = await changesOf(project, parameters)
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as Page
}
const now = async (project = web) => (await pageOf({ from: 'now' }, project)).meta.cursor
/** The changes that a write makes, with the names of the changed fields. */
async function changesBy(write: () => Promise<unknown>): Promise<Change[]> {
  const cursor = await now()
  await write()
  return (await pageOf({ cursor, limit: '1000' })).data
}
/** Sorts what changes with the first object: the order of deletions by foreign keys is another one with Citus. */
const inOrder = ([first, ...others]: unknown[][]) => [first, ...others.map(String).sort()]
const task = (n: number) => sql`project_id = ${web} and id = ${id('task', n)}`

describe('at the beginning', () => {
  test('every object comes once, in pages of any size', async () => {
    const whole = await pageOf({ limit: '1000' })
    assert.equal(whole.meta.hasMore, false)
    assert.deepEqual(whole.meta.nextCursor, null)
    const kinds = [...new Set(whole.data.map(({ kind }) => kind))]
    assert.deepEqual(kinds, [
      'project',
      'user',
      'team',
      'board',
      'stage',
      'task',
      'comment',
      'file',
      'time_entry',
      'document',
    ])
    for (const limit of ['1', '4']) {
      const data: Change[] = []
      for (let cursor: string | null = null; ;) {
        const page: Page = await pageOf({ limit, ...(cursor && { cursor }) })
        assert.equal(page.meta.nextCursor, page.meta.hasMore ? page.meta.cursor : null)
        data.push(...page.data)
        cursor = page.meta.nextCursor
        if (cursor === null) break
      }
      assert.deepEqual(data, whole.data)
    }
  })

  test('nothing is known about their changes', async () => {
    for (const { op, at, by, fields, object } of (await pageOf()).data) {
      assert.deepEqual([op, at, by, fields], ['upsert', null, null, null])
      assert.ok(object)
    }
  })

  test('kinds restricts the objects, and from=now returns none', async () => {
    const kinds = (await pageOf({ kinds: 'comment,team' })).data.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['team', 'team', 'comment', 'comment', 'comment'])
    const page = await pageOf({ from: 'now' })
    assert.deepEqual([page.data, page.meta.hasMore], [[], false])
  })

  test('a page ends before its objects exceed 512 KiB, but has at least one', async () => {
    const description = 'x'.repeat(100_000)
    await sql`insert into workgate.tasks (project_id, title, description) select ${app}, n, ${description} from generate_series(1, 12) n`
    const counts: number[] = []
    for (let cursor: string | null = null; ;) {
      const { data, meta }: Page = await pageOf({ limit: '1000', kinds: 'task', ...(cursor && { cursor }) }, app)
      assert.ok(JSON.stringify(data).length < 600_000)
      counts.push(data.length)
      cursor = meta.nextCursor
      if (cursor === null) break
    }
    assert.deepEqual(counts, [5, 5, 2, 0])
    await sql`delete from workgate.tasks where project_id = ${app}`
  })
})

describe('a change', { concurrency: false }, () => {
  test('by the API shows the key, and the object as the list does', async () => {
    const changes = await changesBy(() => post(`/projects/${web}/tasks/${id('task', 1)}/complete`, {}))
    const [{ object, at, by, fields }] = changes as [Change]
    assert.equal(changes.length, 1)
    const list = await get(`/projects/${web}/tasks?number=1&include=tags,watchers`)
    assert.deepEqual([object], list.body['data'])
    assert.deepEqual(fields, ['completedAt', 'stageId', 'state'])
    assert.equal(by!.channel, 'api')
    assert.equal(by!.actor['name'], 'suite')
    assert.ok(at! >= (object!['updatedAt'] as string))
  })

  // prettier-ignore
  const writes: [claim: string, write: () => Promise<unknown>, changes: unknown[][]][] = [
    ['that changes nothing is none', () => sql`update workgate.tasks set title = title`, []],
    ['of several fields is one', async () => { await sql`update workgate.tasks set title = 'x' where ${task(2)}`; await sql`update workgate.tasks set priority = 'high' where ${task(2)}` }, [['task', 'upsert', 2, 'priority,title']]],
    ['of a created object concerns all fields', () => sql`insert into workgate.boards (project_id, id, name) values (${web}, ${id('board', 9)}, 'x')`, [['board', 'upsert', 9, null]]],
    ['of a deleted object has no object', () => sql`delete from workgate.boards where id = ${id('board', 9)}`, [['board', 'delete', 9, null]]],
    ['takes along what is deleted with it', () => sql`delete from workgate.tasks where ${task(2)}`, [['task', 'delete', 2, null], ['comment', 'delete', 3, null], ['time_entry', 'delete', 3, null], ['document', 'delete', 4, null]]],
    ['of a name concerns the tasks that show it', async () => { await sql`insert into workgate.task_watchers values (${web}, ${id('task', 3)}, ${id('user', 2)})`; await sql`update workgate.users set name = 'Grace' where id = ${id('user', 2)}` }, [['user', 'upsert', 2, 'name'], ['task', 'upsert', 3, 'watchers']]],
    ['of the key concerns all tasks', () => sql`update workgate.projects set key = 'WEX' where id = ${web}`, [['project', 'upsert', 1, 'key'], ['task', 'upsert', 1, 'reference'], ['task', 'upsert', 3, 'reference']]],
    ['of another project is none', () => sql`insert into workgate.boards (project_id, name) values (${app}, 'x')`, []],
  ]
  for (const [claim, write, changes] of writes)
    test(claim, async () => assert.deepEqual(inOrder((await changesBy(write)).map(short)), inOrder(changes)))

  test('that is undone before the reader comes is a deletion', async () => {
    const changes = await changesBy(async () => {
      await sql`insert into workgate.boards (project_id, id, name) values (${web}, ${id('board', 8)}, 'x')`
      await sql`delete from workgate.boards where id = ${id('board', 8)}`
    })
    assert.deepEqual(changes.map(short), [['board', 'delete', 8, null]])
  })

  test('is found with a cursor from before its transaction ended, however many have ended since', async () => {
    const cursor = await now()
    let later = ''
    await sql.begin(async (transaction) => {
      await transaction`insert into workgate.boards (project_id, id, name) values (${web}, ${id('board', 7)}, 'x')`
      await sql`update workgate.boards set name = 'y' where project_id = ${web} and id = ${id('board', 1)}`
      const page = await pageOf({ cursor })
      assert.deepEqual(page.data.map(short), [['board', 'upsert', 1, 'name']])
      later = page.meta.cursor
    })
    assert.deepEqual((await pageOf({ cursor: later })).data.map(short), [['board', 'upsert', 7, null]])
  })
})

describe('the event', { concurrency: false }, () => {
  const set = (values: string) => () => sql.unsafe(`update workgate.tasks set ${values} where project_id = '${web}' and id = '${id('task', 3)}'`) // prettier-ignore
  // prettier-ignore
  const events: [event: string, ...writes: (() => Promise<unknown>)[]][] = [
    ['updated', set("title = 'One'"), set("title = 'Two'")],
    ['completed', set("state = 'completed'"), set("title = 'Three'")],
    ['reopened', set("state = 'open'")],
    ['cancelled', set("state = 'completed'"), set("state = 'open'"), set("state = 'cancelled'")],
    ['deleted', set("title = 'Four'"), () => sql`delete from workgate.tasks where ${task(3)}`],
    ['created', () => sql`insert into workgate.tasks (project_id, id, title) values (${web}, ${id('task', 3)}, 'Again')`, set("title = 'Five'")],
    ['created', () => sql`delete from workgate.tasks where ${task(3)}`, () => sql`insert into workgate.tasks (project_id, id, title) values (${web}, ${id('task', 3)}, 'Again')`],
    ['updated', () => sql`insert into workgate.task_watchers values (${web}, ${id('task', 3)}, ${id('user', 2)}) on conflict do nothing`],
    ['updated', () => sql`update workgate.users set name = 'Joan' where id = ${id('user', 2)}`],
    ['updated', () => sql`update workgate.projects set key = 'WEY' where id = ${web}`],
  ]
  for (const [event, ...writes] of events) {
    test(`of ${writes.length} writes is ${event}`, async () => {
      const changes = await changesBy(async () => {
        for (const write of writes) await write()
      })
      const found = changes.find((change) => change.kind === 'task' && change.id === id('task', 3))
      assert.equal(found!.event, event)
    })
  }
})

test('while nothing changes, the cursor and the ETag stay the same', async () => {
  const cursor = await now()
  const first = await changesOf(web, { cursor })
  assert.equal((first.body as unknown as Page).meta.cursor, cursor)
  await sql`insert into workgate.boards (project_id, name) values (${app}, 'x')`
  const second = await changesOf(web, { cursor })
  assert.equal(second.headers['etag'], first.headers['etag'])
})

describe('wait', { concurrency: false }, () => {
  const waitFor = (cursor: string, parameters = {}) => changesOf(web, { cursor, wait: '30', ...parameters })

  // prettier-ignore
  const changes: [claim: string, write: () => Promise<unknown>][] = [
    ['of a task', () => sql`update workgate.tasks set title = 'Changed' where ${task(1)}`],
    ['of another object', () => sql`update workgate.boards set position = position + 1 where project_id = ${web}`],
    ['of a user', () => sql`update workgate.users set email = 'u@example.com' where id = ${id('user', 1)}`],
  ]
  for (const [claim, write] of changes) {
    test(`ends with a change ${claim}, and not with changes elsewhere`, async () => {
      let isOver = false
      const waiting = waitFor(await now()).finally(() => (isOver = true))
      await sql`update workgate.tasks set title = title || '!' where project_id = ${app}`
      // Another request has waited, read again, and found nothing meanwhile.
      await waitFor(await now(), { wait: '0.2' })
      assert.ok(!isOver)
      await write()
      const { status, body } = await waiting
      assert.equal(status, 200)
      assert.ok((body as unknown as Page).data.length > 0)
    })
  }

  test('ends without a change when the time is up, with the same entity tag', async () => {
    const cursor = await now()
    const first = await changesOf(web, { cursor })
    const { status, body, headers } = await waitFor(cursor, { wait: '0.1' })
    assert.deepEqual([status, body, headers['etag']], [200, first.body, first.headers['etag']])
    const key = await workgate.issueKey('polls')
    const path = `/projects/${web}/changes?cursor=${cursor}&wait=0.1`
    const conditional = { key, headers: { 'if-none-match': headers['etag']! } }
    assert.equal((await workgate.send(`GET ${path}`, conditional)).status, 304)
  })

  test('is not for a beginning, and not for changes that are there', async () => {
    const began = performance.now()
    const cursor = await now()
    await sql`update workgate.tasks set title = 'Before' where ${task(1)}`
    for (const parameters of [{ from: 'now' }, { limit: '1' }, { cursor }, { cursor, limit: '1' }])
      assert.equal((await changesOf(web, { ...parameters, wait: '30' })).status, 200)
    assert.ok(performance.now() - began < 15_000)
  })
})

describe('a deleted project', { concurrency: false }, () => {
  test('is one change, whatever its kinds, then there is nothing to read', async () => {
    const cursor = (await pageOf({ kinds: 'task' }, old)).meta.cursor
    await sql`delete from workgate.projects where id = ${old}`
    const { data, meta } = await pageOf({ kinds: 'task', cursor }, old)
    assert.deepEqual(data.map(short), [['project', 'delete', 3, null]])
    assert.equal((await changesOf(old, { kinds: 'task', cursor: meta.cursor })).status, 404)
    assert.equal((await changesOf(old)).status, 404)
    await sql`insert into workgate.projects (id, key, name) values (${old}, 'OLD', 'Again')`
    await sql`insert into workgate.tasks (project_id, id, title) values (${old}, ${id('task', 9)}, 'x')`
    const again = await pageOf({ kinds: 'task', cursor: meta.cursor }, old)
    assert.deepEqual(again.data.map(short), [['task', 'upsert', 9, null]])
  })
})

test('a cursor does not tell what others do meanwhile', async () => {
  const cursors = [await now(app)]
  await sql.begin(async (open) => {
    await open`update workgate.boards set name = name || '!' where project_id = ${web}`
    // Otherwise, the page comes from the cache.
    await sql`update workgate.projects set name = name || '!' where id = ${app}`
    cursors.push(await now(app))
  })
  const all = cursors.map((cursor) => Buffer.from(cursor.replaceAll('~', '_'), 'base64url'))
  const same = all[0]!.filter((byte, n) => byte === all[1]![n]).length
  // In steps of eight bytes: the transaction takes two.
  assert.ok(Math.abs(all[0]!.length - all[1]!.length) <= 8)
  // Beside the digest of the secret, by chance.
  assert.ok(same < 12, `${same} bytes are the same`)
})

describe('refuses', () => {
  const refused = async (
    parameters: Record<string, string>,
    status: number,
    code: string,
    name: string,
    project = web,
  ) => {
    const { status: found, body } = await changesOf(project, parameters)
    assert.deepEqual([found, body['code']], [status, code])
    assert.equal((body['errors'] as { name: string }[])[0]!.name, name)
  }
  async function expired(cursor: string, reason: string, detail: RegExp): Promise<void> {
    await refused({ cursor }, 410, 'CURSOR_EXPIRED', 'cursor')
    const { body } = await changesOf(web, { cursor })
    assert.equal(body['reason'], reason)
    assert.match(body['detail'], detail)
  }
  const feed = [web, null]
  const db = {
    run: <Row>(text: string, values?: readonly unknown[]) => sql.unsafe(text, values as never[]) as Promise<Row[]>,
  }
  type Genuine = Awaited<ReturnType<typeof decodeReading>>
  const genuine = async () => decodeReading(db, feed, await now())
  /** A cursor that knows something else of the first journal, and has another bookmark. */
  function forge(
    { secret, ...reading }: Genuine,
    known: Partial<KnownJournal>,
    bookmark?: Omit<Bookmark, 'journal'>,
  ): string {
    const [first, ...others] = reading.journals
    const journals = [{ ...first!, ...known }, ...others]
    return encodeReading(secret, feed, { ...reading, journals, bookmark: bookmark && { ...bookmark, journal: 0 } })
  }

  test('limits, kinds and combinations that do not exist', async () => {
    await refused({ limit: '1001' }, 400, 'VALIDATION_FAILED', 'limit')
    await refused({ kinds: 'task,tag' }, 400, 'VALIDATION_FAILED', 'kinds')
    await refused({ from: 'yesterday' }, 400, 'VALIDATION_FAILED', 'from')
    await refused({ from: 'now', cursor: await now() }, 400, 'VALIDATION_FAILED', 'from')
  })

  test('cursors of another project, of other kinds, of a list, and altered ones', async () => {
    const cursor = await now()
    await refused({ cursor }, 400, 'INVALID_CURSOR', 'cursor', app)
    await refused({ cursor, kinds: 'task' }, 400, 'INVALID_CURSOR', 'cursor')
    const list = await get(`/projects/${web}/tasks?limit=1`)
    await refused({ cursor: (list.body['meta'] as Page['meta']).nextCursor! }, 400, 'INVALID_CURSOR', 'cursor')
    for (const altered of [
      '',
      'x',
      cursor.slice(0, -1),
      `${cursor}A`,
      cursor.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
    ])
      await refused({ cursor: altered }, 400, 'INVALID_CURSOR', 'cursor')
  })

  test('or accepts whatever a cursor with the right secret contains', async () => {
    const { below, times } = chooser(3)
    const numbers = () => times(below(4), () => BigInt(below(2) ? below(1_000) : 2 ** 40 * below(2 ** 30)))
    const reading = await genuine()
    for (let n = 0; n < 200; n++) {
      const [xmax = 0n, ...xip] = numbers()
      const [xid = 0n, seq = 0n] = numbers()
      const bookmark = below(2) ? { xid, seq, project: web, rank: below(11), id: id('task', below(3)) } : undefined
      const { status } = await changesOf(web, { cursor: forge(reading, { base: { xmax, xip } }, bookmark) })
      assert.ok([200, 400, 410].includes(status), `${status}`)
    }
  })

  test('cursors that were encrypted with a secret before the last one', async () => {
    const [first, idle] = [await now(), await now()]
    await sql`select workgate.rotate_cursor_secret()`
    assert.equal((await pageOf({ cursor: first })).meta.hasMore, false)
    const renewed = (await pageOf({ cursor: idle })).meta.cursor
    assert.notEqual(renewed, idle)
    // A page that was cached before, and cursors of another process, which knows the new secret already.
    const whole = await pageOf()
    const [{ secret }] = (await sql`
      select encode(secret, 'hex') as secret from workgate.cursor_secrets order by created_at desc limit 1`) as [
      { secret: string },
    ]
    assert.equal((await pageOf({ cursor: forge({ ...(await genuine()), secret }, {}) })).meta.hasMore, false)
    await sql`select workgate.rotate_cursor_secret()`
    await expired(first, 'other_database', /secret/)
    assert.equal((await pageOf({ cursor: renewed })).meta.hasMore, false)
    await sql`select workgate.rotate_cursor_secret()`
    await expired(renewed, 'other_database', /secret/)
    const again = await pageOf()
    assert.notEqual(again.meta.cursor, whole.meta.cursor)
    assert.equal((await pageOf({ cursor: again.meta.cursor })).meta.hasMore, false)
    // The service makes a new one.
    await sql`truncate workgate.cursor_secrets`
    await expired(again.meta.cursor, 'unrecorded_changes', /table was emptied/)
    assert.equal((await pageOf({ cursor: await now() })).meta.hasMore, false)
  })

  // prettier-ignore
  const expiries: [claim: string, expire: () => Promise<unknown>, reason: string, detail: RegExp][] = [
    ['of rows that were changed with triggers disabled', () => onServers(sql, `select workgate.touch()`), 'unrecorded_changes', /triggers disabled/],
    ['of rows that were truncated', () => sql`truncate workgate.files`, 'unrecorded_changes', /table was emptied/],
    ['that are too old', () => onServers(sql, `insert into workgate.journal_horizon select pg_snapshot_xmin(pg_current_snapshot())`), 'too_old', /too old/],
    ['that know commits that a later start of the server lost', () => onServers(sql, `insert into workgate.epochs select max(n) + 1, gen_random_uuid(), max(journal), '2020-01-01', '0/1' from workgate.epochs`), 'lost_commits', /lost commits/],
  ]
  for (const [claim, expire, reason, detail] of expiries) {
    test(`cursors ${claim}`, async () => {
      const cursor = await now()
      await expire()
      await expired(cursor, reason, detail)
      await onServers(sql, `delete from workgate.journal_horizon`)
      await onServers(sql, `delete from workgate.epochs where started = '2020-01-01'`)
    })
  }

  test('no cursor because of entries and horizons that a restore brought from a cluster with higher transaction ids', async () => {
    await onServers(sql, `insert into workgate.journal_horizon values ('999999999999')`)
    await onServers(
      sql,
      `insert into workgate.journal (scope, xid, kind, id, event, at, channel, actor)
      values ('${directory}', '999999999999', 'everything', '${directory}', 'updated', now(), 'sql', '{}')`,
    )
    assert.equal((await pageOf({ cursor: await now() })).meta.hasMore, false)
    // The service also deletes them.
    await onServers(sql, `select workgate.drop_old_entries('30 days', 1)`)
    for (const table of ['journal', 'journal_horizon'])
      assert.deepEqual(await onServers(sql, `select xid from workgate.${table} where xid = '999999999999'`), [], table)
  })

  test('cursors of another database, and of transactions that never were', async () => {
    const reading = await genuine()
    await expired(forge(reading, { epoch: crypto.randomUUID() }), 'other_database', /another database/)
    await expired(forge(reading, { base: { xmax: 2n ** 40n + 9n, xip: [] } }), 'lost_commits', /lost commits/)
    // The journals of two servers, of which only one is here.
    const { journals } = reading
    const other = { ...journals[0]!, node: 99 }
    await expired(forge({ ...reading, journals: [...journals, other] }, {}), 'other_database', /another database/)
  })

  test('cursors that were made before the database was restored from another one', async () => {
    const cursor = await now()
    await onServers(sql, `update workgate.epochs set journal = 'another'`)
    await sql`update workgate.boards set name = 'z' where project_id = ${web} and id = ${id('board', 1)}`
    await expired(cursor, 'other_database', /restored/)
    assert.equal((await pageOf({ cursor: await now() })).meta.hasMore, false)
  })

  test('no cursor because of 100 open transactions, with which it has at most 512 characters', async () => {
    const reading = await genuine()
    const xmax = 2n ** 40n
    const xip = Array.from({ length: 100 }, (_, n) => xmax - 16_000n + 100n * BigInt(n))
    const bookmark = { xid: xmax, seq: 2n ** 40n, project: web, rank: 60, id: web }
    const text = forge({ ...reading, selection: 2 ** 32 - 1 }, { lsn: 2n ** 50n, base: { xmax, xip } }, bookmark)
    assert.ok(text.length <= 512, `${text.length}`)
  })
})
