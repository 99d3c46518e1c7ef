// workgate keys, run from the artifact.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { keyIdOf } from '../../src/api/access/key-text.ts'
import { readExpires, readOperations, readProjects, readRateLimit } from '../../src/commands/key-options.ts'
import { app, insertData, missing, web } from '../support/data.ts'
import { recordSecret } from '../support/log.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { command, issueKey } from '../support/workgate.ts'

const database = await suiteDatabase(insertData)

const keys = async (...args: string[]) => {
  const result = await command(['keys', ...args], { DATABASE_URL: database.url })
  if (result.out.startsWith('wg_')) recordSecret(result.out)
  return result
}

test('a key is created, listed, restricted to other projects, rotated and revoked', async () => {
  const created = await keys(
    'create',
    'ci',
    '--projects',
    `${web},${app}`,
    '--operations',
    'create_task',
    '--rate-limit',
    '30',
    '--expires',
    '2099-01-01T00:00:00Z',
  )
  assert.deepEqual([created.code, created.err], [0, ''])
  assert.ok(keyIdOf(created.out), 'standard output is the key and nothing else')

  const [listed] = JSON.parse((await keys('list', '--json')).out)
  assert.deepEqual(
    { ...listed, createdAt: null },
    {
      name: 'ci',
      id: keyIdOf(created.out),
      status: 'active',
      scopeMode: 'selected_projects',
      projectIds: [web, app],
      projectKeys: ['APP', 'WEB'],
      operations: ['create_task'],
      rateLimitPerMinute: 30,
      expiresAt: '2099-01-01T00:00:00.000Z',
      revokedAt: null,
      createdAt: null,
      lastUsedAt: null,
    },
  )

  assert.equal((await keys('projects', 'ci', '--projects', app)).out, 'The key "ci" can access 1 project.')
  const rotated = await keys('rotate', 'ci', '--overlap', '1 hour')
  assert.ok(keyIdOf(rotated.out) && rotated.out !== created.out)
  assert.match(
    (await keys('list')).out,
    /^NAME +ID +STATUS.*\nci +\w{12} +rotated .*\nci +\w{12} +active +APP +create_task/,
  )
  assert.equal((await keys('revoke', 'ci')).out, 'The key "ci" is revoked.')
  assert.doesNotMatch((await keys()).out, /active|rotated/)
})

test('options of a new key are stored', async () => {
  const longest = 'ü'.repeat(100)
  // prettier-ignore
  for (const [name, given, stored] of [
    ['a date',       ['--expires', '2099-01-31', '--operations', ''],                     { expiresAt: '2099-01-31T00:00:00.000Z', operations: [] }],
    ['an offset',    ['--expires', '2099-01-31T12:00:00.5+02:00', '--rate-limit', '1'],   { expiresAt: '2099-01-31T10:00:00.500Z', rateLimitPerMinute: 1 }],
    [longest,        ['--rate-limit', '1000000', '--operations', 'create_project'],       { rateLimitPerMinute: 1_000_000, operations: ['create_project'] }],
  ] as const) {
    assert.equal((await keys('create', name, '--all-projects', ...given)).err, '')
    const listed = JSON.parse((await keys('list', '--json')).out).find((key: { name: string }) => key.name === name)
    assert.deepEqual({ ...listed, ...stored }, listed)
  }
})

test('projects can be given by key, and by id in any case', async () => {
  const listed = async () =>
    JSON.parse((await keys('list', '--json')).out).find((key: { name: string }) => key.name === 'by key')
  assert.equal((await keys('create', 'by key', '--projects', `APP,${web.toUpperCase()}`)).err, '')
  assert.deepEqual((await listed()).projectIds, [web, app])
  const { out } = await keys('projects', 'by key', '--projects', `WEB,${web}`)
  assert.equal(out, 'The key "by key" can access 1 project.')
  assert.deepEqual((await listed()).projectIds, [web])
})

describe('the list for people', async () => {
  const { url, sql } = await suiteDatabase(async (sql) => {
    await sql`alter table workgate.projects drop constraint projects_key_form`
    for (const key of ['A\x1b[2J', 'B\u202e', 'CC', 'DD', 'EE'])
      await sql`insert into workgate.projects (key, name) values (${key}, 'x')`
  })
  const create = (name: string, keys: string[]) =>
    sql`select workgate.issue_key(${name}, project_ids => array(select id from workgate.projects where key = any (${keys})))`
  const row = async (name: string) =>
    (await command(['keys'], { DATABASE_URL: url })).out.split('\n').find((line) => line.startsWith(`${name} `))

  test('names three projects and counts the others, and escapes what a terminal would obey', async () => {
    await issueKey(sql, 'all')
    await create('none', [])
    await create('three', ['A\x1b[2J', 'B\u202e', 'CC'])
    await create('five', ['A\x1b[2J', 'B\u202e', 'CC', 'DD', 'EE'])
    assert.match((await row('all'))!, / active +all projects {2,}/)
    assert.match((await row('none'))!, / active +none {2,}/)
    assert.match((await row('three'))!, / active +A\\u001b\[2J, B\\u202e, CC {2,}/)
    assert.match((await row('five'))!, / active +A\\u001b\[2J, B\\u202e, CC and 2 more {2}/)
  })

  test('says that a key is in use if its last use is recent', async () => {
    await issueKey(sql, 'used')
    const use = (ago: string) => sql`
      insert into workgate.api_key_uses (key_id, last_used_at)
      select id, now() - ${ago}::interval from workgate.api_keys where name = 'used'
      on conflict (key_id) do update set last_used_at = excluded.last_used_at`
    assert.match((await row('used'))!, / never +none recorded$/)
    await use('1 second')
    assert.match((await row('used'))!, / in use$/)
    await use('2 minutes')
    assert.match((await row('used'))!, / \d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })
})

test('a name cannot control the terminal', async () => {
  const { url, sql } = await suiteDatabase()
  // Names from before the rule.
  await sql`alter table workgate.api_keys drop constraint api_keys_name_form`
  await issueKey(sql, 'a\x1b[2J\nb\u202ec')
  const list = async (...options: string[]) => (await command(['keys', 'list', ...options], { DATABASE_URL: url })).out
  assert.match(await list(), /^NAME [^\n]*\na\\u001b\[2J\\u000ab\\u202ec +\w{12} +active[^\n]*$/)
  const json = await list('--json')
  assert.ok(!json.includes('\u202e'))
  assert.equal(JSON.parse(json)[0].name, 'a\x1b[2J\nb\u202ec')
})

type Refused = [claim: string, args: string[], message: RegExp]

const wholeLine = (text: string) => new RegExp(`^workgate: ${text.replaceAll('.', '\\.')}$`)

const tooMany = Array.from({ length: 1_001 }, () => crypto.randomUUID()).join()

// prettier-ignore
const refused: Refused[] = [
  ['no scope',                 ['create', 'x'],                                           /--all-projects or --projects/],
  ['both scopes',              ['create', 'x', '--all-projects', '--projects', web],      /--all-projects or --projects/],
  ['no name',                  ['create', '--all-projects'],                              /missing key name/],
  ['two names',                ['create', 'x', 'y', '--all-projects'],                    /unexpected argument "y"/],
  ['an unknown option',        ['create', 'x', '--all'],                                  /^workgate: unknown option --all; did you mean --all-projects\?\n\nDATABASE_URL=… node dist\/workgate.mjs keys create NAME/],
  ['an unknown project',       ['create', 'x', '--projects', missing],                    /no such project/],
  ['an unknown project key',   ['create', 'x', '--projects', `NOPE,WEB,${web},NIX`],        wholeLine('no project has the key NOPE, NIX')],
  ['an unknown project key for an existing key',          ['projects', 'there', '--projects', 'NOPE'],               wholeLine('no project has the key NOPE')],
  ['more than 1000 projects',  ['create', 'x', '--projects', tooMany],                    wholeLine('at most 1000 projects can be selected. Issue the key for all projects, or issue several keys.')],
  ['an invalid project id',    ['create', 'x', '--projects', `${web},web`],               wholeLine(`--projects must be a comma-separated list of project keys or ids, not "${web},web"`)],
  ['an invalid project id for an existing key',           ['projects', 'x', '--projects', 'web'],                    wholeLine('--projects must be a comma-separated list of project keys or ids, not "web"')],
  ['an unknown operation',     ['create', 'x', '--all-projects', '--operations', 'create_task,fly'], wholeLine('--operations must be a comma-separated list of create_project, create_task, complete_task, not "create_task,fly"')],
  ['an empty name',     ['create', '', '--all-projects'],                          /^workgate: NAME must be 1 to 100 characters, without [^\n]*, not ""$/],
  ['a name with an escape sequence', ['create', 'a\x1b[2J', '--all-projects'],           /^workgate: NAME must be 1 to 100 characters, [^\n]*, not "a\\u001b\[2J"$/],
  ['a name that changes the direction', ['create', 'a\u202eb', '--all-projects'],        /^workgate: NAME must be 1 to 100 characters, [^\n]*, not "a\\u202eb"$/],
  ['a name that is too long',  ['create', 'x'.repeat(101), '--all-projects'],             /^workgate: NAME must be 1 to 100 characters, [^\n]*$/],
  ['a limit of 0',             ['create', 'x', '--all-projects', '--rate-limit', '0'],    wholeLine('--rate-limit must be an integer between 1 and 1000000, not "0"')],
  ['an invalid expiry',   ['create', 'x', '--all-projects', '--expires', 'never'],   wholeLine('--expires must be a time such as 2027-01-31T00:00:00Z, or a date such as 2027-01-31, not "never"')],
  ['an expiry in the past',    ['create', 'x', '--all-projects', '--expires', '2020-01-01'], wholeLine('--expires is in the past')],
  ['an invalid overlap',  ['rotate', 'there', '--overlap', 'a while'],               wholeLine(`--overlap must be an interval such as '24 hours', not "a while"`)],
  ['an overlap that is too long',     ['rotate', 'there', '--overlap', '999999999 years'],       wholeLine(`--overlap must be an interval such as '24 hours', not "999999999 years"`)],
  ['a negative overlap',       ['rotate', 'there', '--overlap=-1 hour'],                  wholeLine('--overlap must not be negative')],
  ['an unknown key',           ['revoke', 'nobody'],                                      /API key "nobody" does not exist or is revoked/],
  ['a key as a name',          ['revoke', `wg_70050bf1ef3c_${'0'.repeat(54)}`],           wholeLine('an argument is a key; use the name of the key instead')],
  ['an unknown action',        ['delete', 'x'],                                           /unknown command "keys delete"\n\n/],
  ['a misspelled action',       ['craete', 'x'],                                           /unknown command "keys craete"; did you mean create\?\n\n/],
]

describe('refused with code 2 and a reason', { concurrency: 2 }, () => {
  before(() => issueKey(database.sql, 'there'))
  for (const [claim, args, message] of refused) {
    test(claim, async () => {
      const { code, out, err } = await keys(...args)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, message)
      assert.doesNotMatch(err, /\n\s+at /)
    })
  }
})

// prettier-ignore
const wrongValues: [option: string, read: (given: Record<string, unknown>) => unknown, values: string[]][] = [
  ['rate-limit', readRateLimit, ['0', '1000001', '10000000', '1.5', '-1', 'many', '', '1e3', ' 5']],
  ['expires',    readExpires,   ['tomorrow', 'now', 'infinity', '', '2027-02-30', '2027-01-31T00:00:00', '2027-01-31 00:00:00Z', '31.1.2027']],
  ['operations', readOperations, ['all', 'create_task, complete_task', 'toString']],
  ['projects',   readProjects,  ['all', 'web', 'WEB APP', `{${web}}`, `${web} ${app}`]],
]

for (const [option, read, values] of wrongValues) {
  test(`--${option} refuses ${JSON.stringify(values)}`, () => {
    for (const value of values) assert.throws(() => read({ [option]: value }), { name: 'UsageError' }, value)
    assert.equal(read({}), null)
  })
}
