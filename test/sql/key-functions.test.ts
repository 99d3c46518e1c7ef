// SQL functions that issue, rotate, restrict and revoke keys.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { keyIdOf } from '../../src/api/access/key-text.ts'
import { app, insertData, missing, web } from '../support/data.ts'
import { untilBlocked } from '../support/locks.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'
import { issueKey, type Sql } from '../support/workgate.ts'

const { sql } = await suiteDatabase(insertData)

const status = async (name: string) =>
  (await sql`select status from workgate.keys where name = ${name} order by created_at`).map((row) => row['status'])

test('a key has the form that the service recognizes, and only its hash is stored', async () => {
  const key = await issueKey(sql, 'form')
  assert.match(key, /^wg_[0-9a-z]{12}_[0-9a-f]{48}[0-9a-f]{6}$/)
  assert.equal(keyIdOf(key), key.slice(3, 15))
  const [row] = await sql`select *, encode(key_hash, 'hex') as hash from workgate.api_keys where name = 'form'`
  assert.equal(row!['hash'], createHash('sha256').update(key).digest('hex'))
  assert.ok(!JSON.stringify(row).includes(key.slice(16, -6)))
})

test('a key with any wrong character is not recognized', async () => {
  const key = await issueKey(sql, 'letters')
  for (let at = 0; at < key.length; at++) {
    const letter = key[at] === 'a' ? 'b' : 'a'
    assert.equal(keyIdOf(key.slice(0, at) + letter + key.slice(at + 1)), undefined, `at ${at}`)
  }
  for (const text of ['', key + ' ', key.slice(1), key.toUpperCase(), `${key}0`]) assert.equal(keyIdOf(text), undefined)
})

test('keys differ in every part', async () => {
  const rows = await sql`select (workgate.new_key()).* from generate_series(1, 500)`
  assert.equal(new Set(rows.map((row) => row['id'])).size, 500)
  assert.equal(new Set(rows.map((row) => row['key'].slice(16, 64))).size, 500)
})

test('the default operations depend on the scope', async () => {
  await issueKey(sql, 'grants-all')
  await issueKey(sql, 'grants-some', { projects: [web] })
  await issueKey(sql, 'grants-none', { projects: [web, web], operations: [] })
  const rows =
    await sql`select name, operations, project_ids from workgate.keys where name like 'grants-%' order by name`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { name: 'grants-all', operations: ['create_project', 'create_task', 'complete_task'], project_ids: [] },
      { name: 'grants-none', operations: [], project_ids: [web] },
      { name: 'grants-some', operations: ['create_task', 'complete_task'], project_ids: [web] },
    ],
  )
})

test('after a rotation the old key works until the overlap ends, and the new key has the same name', async () => {
  await issueKey(sql, 'turn', { projects: [web], rateLimit: 7 })
  await sql`select workgate.rotate_key('turn')`
  assert.deepEqual(await status('turn'), ['rotated', 'active'])
  await sql`select workgate.rotate_key('turn', '0')`
  assert.deepEqual((await status('turn')).sort(), ['active', 'revoked', 'rotated'])
  const [row] =
    await sql`select project_ids, rate_limit_per_minute from workgate.keys where name = 'turn' and status = 'active'`
  assert.deepEqual({ ...row }, { project_ids: [web], rate_limit_per_minute: 7 })
})

test('changing the projects of a key, or revoking it, includes its rotated predecessor', async () => {
  await issueKey(sql, 'pair', { projects: [web] })
  await sql`select workgate.rotate_key('pair')`
  await sql`select workgate.set_key_projects('pair', ${[app]}::uuid[])`
  const rows = await sql`select project_ids from workgate.keys where name = 'pair'`
  assert.deepEqual(valuesOf(rows, 'project_ids'), [[app], [app]])
  await sql`select workgate.revoke_key('pair')`
  assert.deepEqual(await status('pair'), ['revoked', 'revoked'])
  await issueKey(sql, 'pair')
  assert.deepEqual(await status('pair'), ['revoked', 'revoked', 'active'])
})

test('an expired key keeps its name until it is revoked', async () => {
  await issueKey(sql, 'over')
  await sql`
    update workgate.api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
    where name = 'over'`
  await assert.rejects(issueKey(sql, 'over'), {
    code: 'WG004',
    hint: 'Revoke the existing key, rotate it if it has not expired, or choose another name.',
  })
  await assert.rejects(async () => sql`select workgate.rotate_key('over')`, {
    code: 'WG005',
    hint: 'Revoke it and issue a new one.',
  })
  await sql`select workgate.revoke_key('over')`
  await issueKey(sql, 'over')
  assert.deepEqual(await status('over'), ['revoked', 'active'])
})

const createProject = `
  with actor as materialized (
    select set_config('workgate.actor', json_build_object('keyId', min(id) filter (where first_id is null))::text, true)
    from workgate.api_keys where name = '{{name}}'
  )
  insert into workgate.projects (id, key, name) select '{{project}}', '{{key}}', 'Made' from actor`
const rotate = `select workgate.rotate_key('{{name}}', '1 hour')`
const replace = `select workgate.rotate_key('{{name}}', '0')`
const select = `select workgate.set_key_projects('{{name}}', '{${web},${app}}')`
const revoke = `select workgate.revoke_key('{{name}}')`

// prettier-ignore
const concurrent: [claim: string, earlier: string[], first: string, others: string[], expected: string[]][] = [
  ['a project created during a rotation is accessible to both keys', [],                rotate,        [createProject],          ['active web made', 'rotated web made']],
  ['a project created during a rotation without overlap is accessible to the new key', [], replace,    [createProject],          ['active web made', 'revoked web']],
  ['a project created during a second rotation is accessible to all keys', [rotate],    rotate,        [createProject],          ['active web made', 'rotated web made', 'rotated web made']],
  ['a project created between two rotations is accessible to the last key', [replace],  replace,       [createProject, replace], ['active web made', 'revoked web', 'revoked web', 'revoked web made']],
  ['a key rotated during the creation of a project can access it',   [],                createProject, [rotate],                 ['active web made', 'rotated web made']],
  ['projects selected during a rotation are those of both keys',     [],                rotate,        [select],                 ['active web app', 'rotated web app']],
  ['a key rotated during a rotation has one active successor',       [],                rotate,        [rotate],                 ['active web', 'rotated web', 'rotated web']],
  ['a key revoked during a rotation has no successor',               [],                rotate,        [revoke],                 ['revoked web', 'revoked web']],
  ['a key revoked during a second rotation has no successor',        [rotate],          rotate,        [revoke],                 ['revoked web', 'revoked web', 'revoked web']],
]

describe('two sessions at once:', { concurrency: false }, () => {
  for (const [n, [claim, earlier, first, others, expected]] of concurrent.entries()) {
    test(claim, async () => {
      const [name, project, key] = [`turn-${n}`, crypto.randomUUID(), `TURN${n}`]
      const run = async (by: Sql, text: string) =>
        by.unsafe(text.replaceAll('{{name}}', name).replaceAll('{{project}}', project).replaceAll('{{key}}', key))
      await issueKey(sql, name, { projects: [web] })
      for (const statement of earlier) await run(sql, statement)

      const blocker = await sql.reserve()
      await blocker`begin`
      await run(blocker, first)
      const results: Promise<unknown>[] = []
      for (const statement of others) {
        results.push(run(sql, statement))
        await untilBlocked(sql, results.length)
      }
      await blocker`commit`
      blocker.release()
      await Promise.all(results)

      const names = new Map([[web, 'web'], [app, 'app'], [project, 'made']]) // prettier-ignore
      const rows = await sql`select status, project_ids from workgate.keys where name = ${name}`
      const found = rows.map((row) =>
        [row['status'], ...row['project_ids'].map((id: string) => names.get(id))].join(' '),
      )
      assert.deepEqual(found.sort(), expected)
    })
  }
})

const tooMany = 'array(select gen_random_uuid() from generate_series(1, 1001))'

// prettier-ignore
const refused: [claim: string, statement: string, message: RegExp][] = [
  ['a name that is taken',          `issue_key('taken')`,                                             /"taken" already exists/],
  ['an empty name',                 `issue_key('')`,                                                  /api_keys_name_form/],
  ['a control character in a name', `issue_key(E'a\\u0085b')`,                                       /api_keys_name_form/],
  ['a name that changes the direction', `issue_key(E'a\\u202eb')`,                                   /api_keys_name_form/],
  ['an unknown scope',              `issue_key('x', 'some')`,                                         /api_keys_scope_mode/],
  ['an unknown project',            `issue_key('x', project_ids => '{${missing}}')`,                  new RegExp(`no such project: ${missing}`)],
  ['selected projects with all_projects', `issue_key('x', 'all_projects', '{${web}}')`,                     /api_keys_all_projects_selects_none/],
  ['more than 1000 projects',       `issue_key('x', project_ids => ${tooMany})`,                      /at most 1000 projects can be selected/],
  ['selecting more than 1000 projects', `set_key_projects('selected', ${tooMany})`,                     /at most 1000 projects can be selected/],
  ['an unknown operation',          `issue_key('x', operations => '{delete_project}')`,               /api_keys_operations/],
  ['an expiry in the past',         `issue_key('x', expires_at => now() - interval '1 day')`,         /expires_at is in the past/],
  ['a limit of 0',                  `issue_key('x', rate_limit_per_minute => 0)`,                     /api_keys_rate_limit/],
  ['rotating an unknown key',       `rotate_key('nobody')`,                                           /"nobody" does not exist/],
  ['a negative overlap',            `rotate_key('taken', '-1 hour')`,                                 /must not be negative/],
  ['revoking an unknown key',       `revoke_key('nobody')`,                                           /"nobody" does not exist/],
  ['selecting projects for an unknown key', `set_key_projects('nobody', '{}')`,                               /"nobody" does not exist/],
  ['selecting projects for an all_projects key', `set_key_projects('taken', '{}')`,                                /has access to all projects/],
]

describe('refused', () => {
  before(async () => {
    await issueKey(sql, 'taken')
    await issueKey(sql, 'selected', { projects: [] })
  })
  for (const [claim, statement, message] of refused) {
    test(claim, async () => {
      await assert.rejects(sql.unsafe(`select workgate.${statement}`), message)
    })
  }

  test('more than 1000 projects in an update', async () => {
    const update = `update workgate.api_keys set project_ids = ${tooMany} where name = 'selected'`
    await assert.rejects(sql.unsafe(update), /api_keys_max_projects/)
    await sql.unsafe(update.replace('1001', '1000'))
  })
})
