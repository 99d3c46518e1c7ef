// Who made a change cannot be forged: what a session says about its writer counts only if its role may say it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { id, insertData, web } from '../support/data.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { asLeast, connect, type Sql } from '../support/workgate.ts'
import workgateApiSql from '../../sql/roles/workgate-api.sql'
import changeSql from '../../sql/work-packets/checks/writer.sql'

const { sql: owner, url } = await suiteDatabase(insertData)
await owner.unsafe(workgateApiSql)
const suffix = crypto.randomUUID().slice(0, 8)
const [app, trusted, member] = [`app_${suffix}`, `trusted_${suffix}`, `member_${suffix}`] as const
const { password } = new URL(url)
const identified = password && `password '${password}'`
await owner.unsafe(`
  create role ${app} login ${identified}; create role ${trusted} login ${identified};
  create role ${member} login in role ${app} ${identified};
  grant usage on schema workgate to ${app}, ${trusted};
  grant select, update on workgate.tasks to ${app}, ${trusted};
  grant execute on function workgate.write_as(text, text) to ${trusted}`)
const task = id('task', 1)
const login = (user: string) => connect(Object.assign(new URL(url), { username: user }).href, { max: 1 })
const logins = [login(app), login(trusted), login(member), connect(asLeast(url), { max: 1 })] as const
const roles: Record<string, Sql> = { owner, app: logins[0], trusted: logins[1], member: logins[2], service: logins[3] }
atEnd(async () => {
  await Promise.all(logins.map((sql) => sql.end()))
  await owner.unsafe(`drop owned by ${app}, ${trusted}, ${member}; drop role ${member}, ${app}, ${trusted}`)
})

interface Said {
  channel?: string
  actor?: string
  /** Statements before the change. */
  before?: string
}

/** Makes a change as the role, and returns the entries of the history and of the journal. */
async function write(role: string, { channel, actor, before }: Said) {
  const changed = await roles[role]!.begin(async (sql) => {
    if (before) await sql.unsafe(before)
    if (channel !== undefined) await sql`select set_config('workgate.channel', ${channel}, true)`
    if (actor !== undefined) await sql`select set_config('workgate.actor', ${actor}, true)`
    // The service may only change these columns.
    await sql`update workgate.tasks set state = case state when 'open' then 'completed' else 'open' end where project_id = ${web} and id = ${task}`
  }).then(() => undefined, (error: { code: string }) => error.code) // prettier-ignore
  if (changed) return changed
  const [history] = await owner`
    select channel, actor, session_role from workgate.task_history
    where project_id = ${web} and task_id = ${task} order by version desc limit 1`
  const [journal] = await owner`
    select channel, actor, session_role from workgate.journal where scope = ${web} and kind = 'task' and id = ${task}
    order by seq desc limit 1`
  assert.deepEqual(journal, history)
  return history
}

const key = '{"keyId": "70050bf1ef3c", "name": "first"}'
const keyActor = { keyId: '70050bf1ef3c', name: 'first' }
const apiRole = 'workgate_api'

// prettier-ignore
const cases: [role: string, said: Said, channel: string, actor: object, sessionRole: string, names: string[]][] = [
  // The service, its commands and the owner say who writes.
  ['service', { channel: 'api', actor: key },                    'api',    keyActor,                             apiRole,    ['first', '70050bf1ef3c']],
  ['service', {},                                                'sql',    { role: apiRole },                    apiRole,    [apiRole]],
  ['owner',   { channel: 'import', actor: 'issues.json' },       'import', { name: 'issues.json' },              'workgate', ['issues.json']],
  ['owner',   { channel: 'nightly', actor: 'job' },              'nightly', { name: 'job' },                     'workgate', ['job']],
  // A role that may name writers says who, but not that it is the service.
  ['trusted', { before: `select workgate.write_as('Ada', 'shop')` }, 'shop', { name: 'Ada', role: trusted },     trusted,    ['Ada', trusted]],
  ['trusted', { before: `select workgate.write_as('Ada')` },     'sql',    { name: 'Ada', role: trusted },       trusted,    ['Ada', trusted]],
  ['trusted', { channel: 'shop', actor: 'Ada' },                 'shop',   { name: 'Ada', role: trusted },       trusted,    ['Ada', trusted]],
  ['trusted', { channel: 'api', actor: 'Ada' },                  'sql',    { role: trusted, claimed: { channel: 'api', actor: { name: 'Ada' } } }, trusted, [trusted]],
  ['trusted', { actor: key },                                    'sql',    { role: trusted, claimed: { actor: keyActor } }, trusted, [trusted]],
  ['trusted', { actor: '{"role": "workgate"}' },                 'sql',    { role: trusted, claimed: { actor: { role: 'workgate' } } }, trusted, [trusted]],
  // Any other role is only itself.
  ['app',     {},                                                'sql',    { role: app },                        app,        [app]],
  ['app',     { channel: 'api', actor: key },                    'sql',    { role: app, claimed: { channel: 'api', actor: keyActor } }, app, [app]],
  ['app',     { channel: 'api' },                                'sql',    { role: app, claimed: { channel: 'api' } }, app, [app]],
  ['app',     { channel: 'shop', actor: 'Ada' },                 'sql',    { role: app, claimed: { channel: 'shop', actor: { name: 'Ada' } } }, app, [app]],
  ['app',     { actor: '{"role": "workgate"}' },                 'sql',    { role: app, claimed: { actor: { role: 'workgate' } } }, app, [app]],
  ['member',  { before: `set local role ${app}` },               'sql',    { role: app },                        member,     [app]],
  ['owner',   { before: `set local session authorization ${app}`, channel: 'api', actor: key }, 'sql', { role: app, claimed: { channel: 'api', actor: keyActor } }, app, [app]],
]

const names = ['first', '70050bf1ef3c', 'Ada', 'job', 'issues.json', 'workgate', apiRole, app, trusted, member]

describe('a change is that of', () => {
  for (const [role, said, channel, actor, sessionRole, proven] of cases) {
    test(`${JSON.stringify(actor).replaceAll(`_${suffix}`, '')} if the role "${role}" says ${JSON.stringify(said).replaceAll(`_${suffix}`, '')}`, async () => {
      assert.deepEqual(await write(role, said), { channel, actor, session_role: sessionRole })
      const matches = await owner.unsafe(`
        select name from unnest(array['${names.join("','")}']) n (name)
        cross join (
          select actor from workgate.task_history where project_id = '${web}' and task_id = '${task}' order by version desc limit 1) e
        where true ${changeSql.replace(':changedBy::text', 'n.name')}`)
      assert.deepEqual(matches.map(({ name }) => name as string).sort(), [...proven].sort())
    })
  }
})

test('write_as() is for roles to which it is granted, and not for the channels of the service', async () => {
  assert.equal(await write('app', { before: `select workgate.write_as('Ada')` }), '42501')
  for (const channel of ['api', 'import', 'sync', 'system'])
    assert.equal(await write('trusted', { before: `select workgate.write_as('Ada', '${channel}')` }), 'WG013')
})

test('a role that creates a project does not add it to the selection of a key that it names', async () => {
  await owner.unsafe(`grant insert on workgate.projects to ${app}`)
  const [issued] =
    await owner`select workgate.issue_key('selected', 'selected_projects', array[${web}]::uuid[], array['create_project']) as key`
  const keyId = (issued!['key'] as string).split('_')[1]!
  await roles['app']!.begin(async (sql) => {
    await sql`select set_config('workgate.channel', 'api', true), set_config('workgate.actor', ${JSON.stringify({ keyId })}, true)`
    await sql`insert into workgate.projects (key, name) values ('FORGED', 'x')`
  })
  const [row] = await owner`select cardinality(project_ids) as n from workgate.api_keys where id = ${keyId}`
  assert.equal(row!['n'], 1)
})
