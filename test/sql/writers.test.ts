// Who made a change cannot be forged: what a session says about its writer counts only if its role may say it.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { backup } from '../../src/commands/backup/backup.ts'
import { restore } from '../../src/commands/backup/restore.ts'
import { readConfig } from '../../src/config/config.ts'
import { environmentKeys, openInstance, type Instance } from '../freshness/instances.ts'
import { createImporter } from '../import/importing.ts'
import { insertData, web } from '../support/data.ts'
import { commandContext } from '../support/doctor.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { asLeast, connect, issueKey, type Sql } from '../support/workgate.ts'
import workgateApiSql from '../../sql/roles/workgate-api.sql'

const { sql: owner, url } = await suiteDatabase(insertData)
await owner.unsafe(workgateApiSql)
const suffix = crypto.randomUUID().slice(0, 8)
const [app, trusted, member, admin] = [
  `app_${suffix}`,
  `trusted_${suffix}`,
  `member_${suffix}`,
  `admin_${suffix}`,
] as const
const { password } = new URL(url)
const identified = password && `password '${password}'`
await owner.unsafe(`
  create role ${app} login ${identified}; create role ${trusted} login ${identified};
  create role ${member} login in role ${app} ${identified}; create role ${admin} login superuser ${identified};
  grant usage on schema workgate to ${app}, ${trusted};
  grant select, update on workgate.tasks to ${app}, ${trusted};
  grant execute on function workgate.write_as(text, text) to ${trusted}`)
const login = (user: string) => connect(Object.assign(new URL(url), { username: user }).href, { max: 1 })
const logins = [login(app), login(trusted), login(member), login(admin), connect(asLeast(url), { max: 1 })] as const
const roles: Record<string, Sql> = {
  owner,
  app: logins[0],
  trusted: logins[1],
  member: logins[2],
  superuser: logins[3],
  service: logins[4],
}
const service = openInstance(url)
const key = await issueKey(owner, 'first')
const [, keyId] = key.split('_')
const { importText } = await createImporter(url)
const folder = await mkdtemp(join(tmpdir(), 'workgate-writers-'))
after(() => rm(folder, { recursive: true }))
atEnd(async () => {
  await service.close()
  await Promise.all(logins.map((sql) => sql.end()))
  await owner.unsafe(`drop owned by ${app}, ${trusted}, ${member}; drop role ${member}, ${app}, ${trusted}, ${admin}`)
})

interface Said {
  channel?: string
  actor?: string
  /** Statements before the change. */
  before?: string
}

async function addTask(): Promise<string> {
  return owner.begin(async (sql) => {
    await sql`select set_config('workgate.actor', 'somebody else', true)`
    const [row] = await sql`insert into workgate.tasks (project_id, title) values (${web}, 'x') returning id`
    return row!['id'] as string
  })
}

/** Changes the task in SQL. Resolves with the code of the error, if there is one. */
async function update(role: string, task: string, { channel, actor, before }: Said): Promise<string | undefined> {
  return roles[role]!.begin(async (sql) => {
    if (before) await sql.unsafe(before)
    if (channel !== undefined) await sql`select set_config('workgate.channel', ${channel}, true)`
    if (actor !== undefined) await sql`select set_config('workgate.actor', ${actor}, true)`
    // The service may only change these columns.
    await sql`update workgate.tasks set state = 'completed' where project_id = ${web} and id = ${task}`
  }).then(() => undefined, (error: { code: string }) => error.code) // prettier-ignore
}

async function completeTask(key: string): Promise<string> {
  const task = await addTask()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { status } = await service.ask('POST', `/projects/${web}/tasks/${task}/complete`, headers, {})
  assert.equal(status, 200)
  return task
}

async function importTask(): Promise<string> {
  const name = crypto.randomUUID()
  const { error } = await importText('issues.csv', `title\n${name}\n`, '--project', 'WEB')
  assert.equal(error, undefined)
  const [row] = await owner`select id from workgate.tasks where title = ${name}`
  return row!['id'] as string
}

/** Ways to change or to create a task without SQL. */
const commands: Record<string, () => Promise<string>> = {
  'the API': () => completeTask(key),
  'the API with a key of the environment': () => completeTask(environmentKeys.all),
  'workgate import': importTask,
}

async function write(way: string, said: Said): Promise<string> {
  const command = commands[way]
  if (command) return command()
  const task = await addTask()
  assert.equal(await update(way, task, said), undefined)
  return task
}

async function lastEntry(task: string) {
  const [history] = await owner`
    select channel, actor, session_role from workgate.task_history
    where project_id = ${web} and task_id = ${task} order by version desc limit 1`
  const [journal] = await owner`
    select channel, actor, session_role from workgate.journal where scope = ${web} and kind = 'task' and id = ${task}
    order by seq desc limit 1`
  assert.deepEqual(journal, history)
  return history
}

const says = { channel: 'api', actor: JSON.stringify({ keyId, name: 'first' }) }
const keyActor = { keyId, name: 'first' }
const apiRole = 'workgate_api'
const replica = 'set local session_replication_role = replica'

// prettier-ignore
const cases: [way: string, said: Said, channel: string, actor: object, sessionRole: string, names: string[]][] = [
  ['the API', {},                                                'api',    keyActor,                             'workgate', ['first', keyId!]],
  ['the API with a key of the environment', {},                  'api',    { keyId: 'env:environment', name: 'environment' }, 'workgate', ['environment', 'env:environment']],
  ['workgate import', {},                                        'import', { name: 'issues.csv' },               'workgate', ['issues.csv']],
  // The service, its commands and the owner say who writes.
  ['service', says,                                              'api',    keyActor,                             apiRole,    ['first', keyId!]],
  ['service', { channel: 'sync', actor: 'a tracker' },           'sync',   { name: 'a tracker' },                apiRole,    ['a tracker']],
  ['service', {},                                                'sql',    { role: apiRole },                    apiRole,    [apiRole]],
  ['owner',   {},                                                'sql',    { role: 'workgate' },                 'workgate', ['workgate']],
  ['owner',   { channel: 'nightly', actor: 'job' },              'nightly', { name: 'job' },                     'workgate', ['job']],
  ['owner',   { before: replica },                               'sql',    { role: 'workgate' },                 'workgate', ['workgate']],
  ['superuser', {},                                              'sql',    { role: admin },                      admin,      [admin]],
  ['superuser', says,                                            'api',    keyActor,                             admin,      ['first', keyId!]],
  // A role that may name writers says who, but not that it is the service.
  ['trusted', {},                                                'sql',    { role: trusted },                    trusted,    [trusted]],
  ['trusted', { before: `select workgate.write_as('Ada', 'shop')` }, 'shop', { name: 'Ada', role: trusted },     trusted,    ['Ada', trusted]],
  ['trusted', { before: `select workgate.write_as('O''Neil \\ "Ada"')` }, 'sql', { name: 'O\'Neil \\ "Ada"', role: trusted }, trusted, ['O\'Neil \\ "Ada"', trusted]],
  ['trusted', { before: `select workgate.write_as('Ada')` },     'sql',    { name: 'Ada', role: trusted },       trusted,    ['Ada', trusted]],
  ['trusted', { channel: 'shop', actor: 'Ada' },                 'shop',   { name: 'Ada', role: trusted },       trusted,    ['Ada', trusted]],
  ['trusted', { channel: 'api', actor: 'Ada' },                  'sql',    { role: trusted, claimed: { channel: 'api', actor: { name: 'Ada' } } }, trusted, [trusted]],
  ['trusted', { actor: says.actor },                             'sql',    { role: trusted, claimed: { actor: keyActor } }, trusted, [trusted]],
  ['trusted', { actor: '{"role": "workgate"}' },                 'sql',    { role: trusted, claimed: { actor: { role: 'workgate' } } }, trusted, [trusted]],
  // Any other role is only itself.
  ['app',     {},                                                'sql',    { role: app },                        app,        [app]],
  ['app',     says,                                              'sql',    { role: app, claimed: { channel: 'api', actor: keyActor } }, app, [app]],
  ['app',     { channel: 'api' },                                'sql',    { role: app, claimed: { channel: 'api' } }, app, [app]],
  ['app',     { channel: 'sync', actor: 'a tracker' },           'sql',    { role: app, claimed: { channel: 'sync', actor: { name: 'a tracker' } } }, app, [app]],
  ['app',     { channel: 'shop', actor: 'Ada' },                 'sql',    { role: app, claimed: { channel: 'shop', actor: { name: 'Ada' } } }, app, [app]],
  ['app',     { actor: '{"role": "workgate"}' },                 'sql',    { role: app, claimed: { actor: { role: 'workgate' } } }, app, [app]],
  ['member',  { before: `set local role ${app}` },               'sql',    { role: app },                        member,     [app]],
  ['owner',   { before: `set local session authorization ${app}`, ...says }, 'sql', { role: app, claimed: { channel: 'api', actor: keyActor } }, app, [app]],
]

const claimsOf = (actor: { claimed?: { actor?: object } }) => Object.values(actor.claimed?.actor ?? {}) as string[]
const names = [...new Set(cases.flatMap(([, , , actor, , proven]) => [...proven, ...claimsOf(actor)]))]

/**
 * What verification says of each task: the names by which it finds the change, as one that is proven or only claimed, and
 * the writers that it shows.
 */
async function verify(instance: Instance, tasks: readonly string[]) {
  const found = tasks.map(() => ({ changedBy: [] as string[], claimedBy: [] as string[], writers: new Set<string>() }))
  for (const expectation of ['changedBy', 'claimedBy'] as const) {
    for (const name of names) {
      const query = `taskIds=${tasks.join()}&${expectation}=${encodeURIComponent(name)}`
      const path = `/projects/${web}/work-packets/verification?${query}`
      const { status, body } = await instance.ask('GET', path, { authorization: `Bearer ${key}` })
      assert.equal(status, 200, String(body))
      for (const { taskId, verified, checks } of JSON.parse(String(body)).data.tasks) {
        const result = found[tasks.indexOf(taskId)]!
        if (!verified) continue
        result[expectation].push(name)
        result.writers.add(JSON.stringify(checks[0].by))
      }
    }
  }
  return found
}

const tasks: string[] = []
for (const [way, said] of cases) tasks.push(await write(way, said))
const verified = await verify(service, tasks)

describe('a change is that of', () => {
  for (const [n, [way, said, channel, actor, sessionRole, proven]] of cases.entries()) {
    test(`${JSON.stringify(actor).replaceAll(`_${suffix}`, '')}, made by ${way} that says ${JSON.stringify(said).replaceAll(`_${suffix}`, '')}`, async () => {
      assert.deepEqual(await lastEntry(tasks[n]!), { channel, actor, session_role: sessionRole })
      const { changedBy, claimedBy, writers } = verified[n]!
      assert.deepEqual(changedBy.toSorted(), [...proven].sort())
      assert.deepEqual(claimedBy.toSorted(), claimsOf(actor).sort())
      assert.deepEqual(
        [...writers].map((by) => JSON.parse(by)),
        [{ channel, actor }],
      )
    })
  }

  test('the same writers in a database that was restored from a backup', async () => {
    const { url: restored } = await suiteDatabase(undefined, 'template0')
    const run = (command: typeof backup, at: string) =>
      command({
        ...commandContext(readConfig({ DATABASE_URL: at }, () => '')),
        args: [join(folder, 'workgate.backup')],
        print: () => {},
      })
    await run(backup, url)
    await run(restore, restored)
    const instance = openInstance(restored)
    atEnd(() => instance.close())
    assert.deepEqual(await verify(instance, tasks), verified)
  })
})

test('write_as() is for roles to which it is granted, and not for the channels of the service', async () => {
  const task = await addTask()
  assert.equal(await update('app', task, { before: `select workgate.write_as('Ada')` }), '42501')
  for (const channel of ['api', 'import', 'sync', 'system'])
    assert.equal(await update('trusted', task, { before: `select workgate.write_as('Ada', '${channel}')` }), 'WG013')
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
