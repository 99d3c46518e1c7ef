// workgate people list and merge, while the service reads the same database.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { people } from '../../src/commands/people/people.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandRunner } from '../support/run-command.ts'
import { app, id, insertStrangers, web } from '../support/data.ts'

const { workgate, sql, get } = await contractSuite({ data: 'basic', key: { name: 'all' } })
await insertStrangers(sql)

const ada = id('user', 1)
const grace = id('user', 2)

const run = commandRunner(people, workgate.url)

async function addUser(name: string, email: string | null = null): Promise<string> {
  const [row] = await sql`insert into workgate.users (name, email) values (${name}, ${email}) returning id`
  return row!['id'] as string
}

const find = async (user: string) => (await sql`select id, name, email from workgate.users where id = ${user}`)[0]

test('lists users with their projects and assigned tasks', async () => {
  const listed = JSON.parse((await run(['--json'])).out) as { id: string }[]
  assert.equal(listed.length, 5)
  assert.deepEqual(
    listed.find((one) => one.id === ada),
    { id: ada, name: 'Ada Lovelace', email: 'ada@example.org', projects: ['WEB'], tasks: 0 },
  )
  const { out } = await run(['list'])
  assert.match(out, /^ID +TASKS +PROJECTS +E-MAIL +NAME\n/)
  assert.match(out, new RegExp(`^${ada} +0 +WEB +ada@example.org +Ada Lovelace$`, 'm'))
})

test('a name cannot control the terminal', async () => {
  const user = await addUser('a\x1b[2J\nb')
  assert.match((await run([])).out, /a\\u001b\[2J\\u000ab$/m)
  await sql`delete from workgate.users where id = ${user}`
})

/** A foreign key that refers to a user: the other columns of the primary key identify its rows. */
interface Reference {
  table: string
  column: string
  keys: string[]
}

/** Every foreign key to users or members, so that one that the merge forgets fails. */
const findReferences = async () =>
  (await sql<Reference[]>`
    select
      c.conrelid::regclass::text as table, a.attname as column,
      array(
        select k.attname::text
        from pg_constraint p
        join pg_attribute k on k.attrelid = p.conrelid and k.attnum = any (p.conkey)
        where p.conrelid = c.conrelid
          and p.contype = 'p'
          and k.attnum <> a.attnum
        order by k.attname
      ) as keys
    from pg_constraint c
    cross join lateral unnest(c.conkey, c.confkey) as r (own, other)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = r.own
    join pg_attribute o on o.attrelid = c.confrelid and o.attnum = r.other
    where c.contype = 'f'
      and (
        c.confrelid = 'workgate.users'::regclass and o.attname = 'id'
        or c.confrelid = 'workgate.project_members'::regclass and o.attname = 'user_id')
    order by 1, 2`) as Reference[]

const rowsOf = async ({ table, column, keys }: Reference, users: string[]) =>
  (
    await sql.unsafe<{ row: string }[]>(
      `select distinct concat_ws(' ', ${keys.join(', ')}) as row from ${table} where ${column} = any ($1::uuid[]) order by 1`,
      [users],
    )
  ).map(({ row }) => row)

describe('merge', { concurrency: false }, () => {
  test('says what goes where, and merges nothing without a confirmation', async () => {
    const other = await addUser('Augusta', null)
    await sql`insert into workgate.project_members (project_id, user_id) values (${web}, ${other})`
    await sql`insert into workgate.tasks (project_id, title, assignee_id, creator_id) values (${web}, 'x', ${other}, ${other})`
    await sql`
      insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
      values (${web}, ${id('task', 1)}, ${other}, '2026-05-01', '2026-05-01T08:00Z', '2026-05-01T09:30Z')`
    const text =
      'Ada Lovelace <ada@example.org> gets everything of these users, who are deleted:\n' +
      '  Augusta: 1 task, 0 comments, 1 time entry (1.5 hours), 1 project'
    assert.equal(
      (await run(['merge', 'ADA@example.org', 'augusta'])).error,
      `nothing was merged. ${text}\nIf this is right, add --yes`,
    )
    const questions: string[] = []
    const no = async (question: string) => {
      questions.push(question)
      return false
    }
    assert.match((await run(['merge', ada, other], no)).error!, /^nothing was merged, because/)
    assert.deepEqual(questions, [`${text}\nMerge them? [y/N] `])
    assert.ok(await find(other))
    const { out } = await run(['merge', ada, other, '--yes'])
    assert.equal(out, `${text}\n1 user was merged into Ada Lovelace <ada@example.org>.`)
    assert.equal(await find(other), undefined)
    assert.equal((await get(`/projects/WEB/tasks?assigneeId=${ada}`)).body.data.length, 1)
  })

  test('changes every reference, also where both are mentioned', async () => {
    const references = await findReferences()
    assert.ok(references.length >= 9)
    const [first, second] = [await addUser('First', 'first@example.org'), await addUser('Second')] as [string, string]
    const keep = await addUser('Kept')
    for (const user of [keep, first, second]) {
      await sql`insert into workgate.team_members (team_id, user_id) values (${id('team', 1)}, ${user})`
      await sql`insert into workgate.project_members (project_id, user_id) values (${web}, ${user})`
      await sql`insert into workgate.task_watchers (project_id, task_id, user_id) values (${web}, ${id('task', 1)}, ${user})`
      await sql`
        insert into workgate.tasks (project_id, title, assignee_id, creator_id)
        values (${web}, ${`of ${user}`}, ${user}, ${user})`
      await sql`insert into workgate.comments (project_id, task_id, author_id, body) values (${web}, ${id('task', 1)}, ${user}, 'x')`
      await sql`
        insert into workgate.files (project_id, task_id, creator_id, name, mime_type, url)
        values (${web}, ${id('task', 1)}, ${user}, 'x', 'a/b', 'https://x.example/')`
      await sql`
        insert into workgate.documents (project_id, path, title, author_id, markdown)
        values (${web}, ${user}, 'x', ${user}, 'x')`
      await sql`
        insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at)
        values (${web}, ${id('task', 1)}, ${user}, '2026-05-01', '2026-05-01T08:00Z')`
    }
    await sql`insert into workgate.project_members (project_id, user_id) values (${app}, ${second})`
    await sql`insert into workgate.task_watchers (project_id, task_id, user_id) values (${app}, ${id('task', 90)}, ${second})`
    await sql`insert into workgate.team_members (team_id, user_id) values (${id('team', 2)}, ${second})`
    await sql`update workgate.projects set owner_id = ${second} where id = ${app}`

    const before = new Map<Reference, string[]>()
    for (const reference of references) {
      const name = `${reference.table}.${reference.column}`
      assert.ok((await rowsOf(reference, [first, second])).length > 0, `no row of ${name} refers to the merged users`)
      before.set(reference, await rowsOf(reference, [keep, first, second]))
    }
    assert.equal((await run(['merge', 'Kept', 'First', second, 'First', '--yes'])).error, undefined)
    for (const reference of references) {
      const name = `${reference.table}.${reference.column}`
      assert.deepEqual(await rowsOf(reference, [keep]), before.get(reference), name)
      assert.deepEqual(await rowsOf(reference, [first, second]), [], name)
    }
    assert.equal((await find(keep))!['email'], 'first@example.org')
    const wrong = await sql`select r.* from workgate.projects p cross join lateral workgate.recount(p.id) r`
    assert.deepEqual([...wrong], [])
    const [task] = await sql`select id, version from workgate.tasks where title = ${`of ${first}`}`
    assert.equal(Number(task!['version']), 2)
    const [entry] = await sql`
      select channel, actor, changes from workgate.task_history
      where project_id = ${web} and task_id = ${task!['id'] as string} and version = 2`
    assert.deepEqual(
      { ...entry },
      {
        channel: 'system',
        actor: { name: 'workgate people merge' },
        changes: { assigneeId: { from: first, to: keep }, creatorId: { from: first, to: keep } },
      },
    )
  })

  // prettier-ignore
  const roles: [kept: string | null, kept_at: string, other: string, other_at: string, role: string, at: string][] = [
    ['viewer', '2026-02-01', 'admin',  '2026-03-01', 'admin',  '2026-02-01'],
    ['owner',  '2026-03-01', 'member', '2026-02-01', 'owner',  '2026-02-01'],
    [null,     '',           'viewer', '2026-02-01', 'viewer', '2026-02-01'],
  ]
  for (const [kept, keptAt, other, otherAt, role, at] of roles)
    test(`keeps the higher role and the earlier time: ${kept}, ${other}`, async () => {
      const [keep, merged] = [await addUser('K'), await addUser('O')]
      const join = (user: string, role: string, at: string) =>
        sql`insert into workgate.project_members (project_id, user_id, role, joined_at) values (${web}, ${user}, ${role}, ${at})`
      if (kept) await join(keep, kept, keptAt)
      await join(merged, other, otherAt)
      assert.equal((await run(['merge', keep, merged, '--yes'])).error, undefined)
      const rows = await sql`
        select role, workgate.iso(joined_at) as at from workgate.project_members where user_id in (${keep}, ${merged})`
      assert.deepEqual([...rows], [{ role, at: `${at}T00:00:00.000Z` }])
      await sql`delete from workgate.project_members where user_id = ${keep}`
      await sql`delete from workgate.users where id = ${keep}`
    })

  test('takes a full name in place of a login', async () => {
    const keep = await addUser('l.lovelace', 'l.lovelace@example.org')
    const other = await addUser('Linda Lovelace')
    assert.equal((await run(['merge', keep, other, '--yes'])).error, undefined)
    assert.deepEqual({ ...(await find(keep)) }, { id: keep, name: 'Linda Lovelace', email: 'l.lovelace@example.org' })
  })

  test('keeps the address, and takes over what earlier merges have stored', async () => {
    const [a, b, c] = [await addUser('A'), await addUser('B', 'b@example.org'), await addUser('C', 'c@example.org')]
    await run(['merge', b, a, '--yes'])
    await run(['merge', c, b, '--yes'])
    assert.equal((await find(c))!['email'], 'c@example.org')
    const aliases = await sql`select id, user_id from workgate.user_aliases where id in (${a}, ${b})`
    assert.deepEqual(
      aliases.map((row) => row['user_id']),
      [c, c],
    )
  })

  test('an unclear name is refused with the ids of all candidates', async () => {
    const [one, two] = [await addUser('Twin'), await addUser('twin', 'twin@example.org')].toSorted()
    const { error, errorName } = await run(['merge', grace, 'Twin', '--yes'])
    assert.equal(errorName, 'UsageError')
    assert.match(error!, /^several users have the name "Twin": name one by its id\n/)
    assert.ok(error!.includes(`\n  ${one}  `) && error!.includes(`\n  ${two}  `))
  })
})

// prettier-ignore
const refused: [claim: string, args: string[], message: RegExp][] = [
  ['nobody',             ['merge'],                         /^missing KEEP\n\nworkgate people merge KEEP OTHER/],
  ['only one',           ['merge', ada],                    /^missing OTHER\n/],
  ['the same twice',     ['merge', ada, 'ada@example.org'], /^KEEP and OTHER are the same user: Ada Lovelace </],
  ['an unknown person',  ['merge', ada, 'Nobody'],          /^no user has the id, e-mail address or name "Nobody": /],
  ['an unknown option',  ['merge', '--force'],              /^unknown option --force\n/],
  ['a misspelled action', ['merg', ada],                    /^unknown command "people merg"; did you mean merge\?\n/],
]

describe('refused as a wrong use', () => {
  for (const [claim, args, message] of refused)
    test(claim, async () => {
      const { out, error, errorName } = await run(args)
      assert.deepEqual([out, errorName], ['', 'UsageError'])
      assert.match(error!, message)
    })
})
