// The doctor's checks of everything around the database, and its repairs.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { judgeSpace } from '../../../src/commands/doctor/machine.ts'
import { checkVersion } from '../../../src/commands/doctor/server.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { cleanUp, optionsFor, temporaryFolder } from '../../faults/fixtures/embedded.ts'
import { startProxy } from '../../faults/fixtures/proxy.ts'
import { pairs } from '../../support/certificates.ts'
import { app, web } from '../../support/data.ts'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { examine, withFindings } from '../../support/doctor.ts'
import { run } from '../../support/environment.ts'
import { asLeast, command, freshDatabase, startArtifact } from '../../support/workgate.ts'
import workgateApiSql from '../../../sql/roles/workgate-api.sql'

const { url: DATABASE_URL, sql } = await databaseSuite()

const look = (...args: string[]) => examine({ DATABASE_URL }, ...args)

describe('triggers and tallies', { concurrency: false }, () => {
  test('projects with wrong tallies are named, and nothing is changed', async () => {
    await sql`update workgate.tallies set n = n + 1 where project_id = ${web} and kind = 'stage'`
    await sql`insert into workgate.tally_deltas values (${web}, 'comments', '-infinity', '', '', 5, 0)`
    await sql`
      insert into workgate.tallies
      values ('00000000-0000-7000-8003-00000000dead', 'state', 'ever', '-infinity', '', 'open', 1, 0)`
    for (const _ of [1, 2]) {
      const { state, finding, advice } = (await look()).of('tallies')
      assert.deepEqual([state, advice], ['fault', 'Run "workgate doctor --repair".'])
      assert.match(finding, new RegExp(`^Wrong tallies in 2 of 4 projects: .*WEB \\(${web}\\): \\d+`))
      assert.match(finding, /deleted \(00000000-0000-7000-8003-00000000dead\): 1\b/)
      assert.doesNotMatch(finding, new RegExp(app))
    }
  })

  test('--repair corrects them', async () => {
    const repaired = (await look('--repair')).line('tallies')
    assert.match(repaired, new RegExp(`^ok: Repaired tallies in 2 of 4 projects: .*WEB \\(${web}\\): \\d+`))
    assert.equal((await look()).line('tallies'), 'ok: The tallies of all 3 projects match the rows')
  })

  test('triggers that are disabled, or enabled for the wrong replication role, are named and repaired', async () => {
    const states = () => sql`
      select tgname, tgenabled from pg_trigger where tgrelid = 'workgate.tasks'::regclass and not tgisinternal order by 1`
    const before = await states()
    await sql`alter table workgate.tasks disable trigger user`
    const off = (await look()).of('triggers')
    assert.deepEqual([off.state, off.advice], ['fault', 'Run "workgate doctor --repair".'])
    assert.match(off.finding, /tasks_fill on workgate.tasks, .* on workgate.tasks and \d+ more\.$/)
    await sql`alter table workgate.tasks enable trigger user`
    const others = (await look()).of('triggers')
    assert.equal(others.state, 'fault')
    assert.doesNotMatch(others.finding, /tasks_record_on_insert/)
    assert.match(others.finding, /tasks_\w+_replicated on workgate.tasks/)
    await sql`insert into workgate.tasks (project_id, title) values (${web}, 'For everybody')`
    const { of } = await look('--repair')
    assert.deepEqual([of('triggers').state, of('tallies').state], ['ok', 'ok'])
    assert.deepEqual(await states(), before)
    assert.equal((await look()).of('triggers').finding, 'All triggers are enabled for the right replication role')
  })
})

describe('the schema', { concurrency: false }, () => {
  test('every missing object is reported, to each role, and no later check runs', async (t) => {
    const { url, sql, drop } = await freshDatabase()
    t.after(drop)
    await sql.unsafe(workgateApiSql)
    await sql.unsafe(`
      drop view workgate.keys;
      drop table workgate.api_key_uses;
      drop function workgate.compact_next_tallies, workgate.misconfigured_triggers;
      drop index workgate.comments_by_terms;
      drop trigger comments_record_on_update on workgate.comments;
      drop trigger tasks_record_on_insert on workgate.tasks;
      alter table workgate.stages drop constraint stages_name_form;
      alter table workgate.task_tags drop constraint task_tags_pkey`)
    const name = new URL(url).pathname.slice(1)
    await sql.unsafe(`alter role workgate_api in database ${name} set search_path = workgate`)
    for (const DATABASE_URL of [url, asLeast(url)]) {
      const { of } = await examine({ DATABASE_URL }, '--repair')
      assert.deepEqual([of('schema').state, of('schema').finding.split(/: |, |\.$/)], ['fault', missing])
      assert.match(of('schema').advice, /^Restore .*"select workgate.touch\(\)" and "workgate doctor --repair"\.$/)
      assert.deepEqual([of('triggers'), of('tallies')], [undefined, undefined])
    }
  })
  // prettier-ignore
  const missing = [
    'Missing',
    'constraint api_key_uses_key on api_key_uses', 'constraint api_key_uses_pkey on api_key_uses',
    'constraint stages_name_form on stages', 'constraint task_tags_pkey on task_tags',
    'function compact_next_tallies(uuid,integer)', 'function misconfigured_triggers()',
    'index comments_by_terms', 'table api_key_uses',
    'trigger comments_record_on_update on comments', 'trigger tasks_record_on_insert on tasks',
    'view keys', '',
  ]

  test('objects that others added are not a fault', async () => {
    await sql.unsafe(`
      create table workgate.theirs (n int primary key);
      create function workgate.theirs() returns trigger language plpgsql as 'begin return null; end';
      create trigger theirs after insert on workgate.theirs execute function workgate.theirs()`)
    assert.equal((await look()).of('schema').state, 'ok')
    await sql.unsafe('drop table workgate.theirs; drop function workgate.theirs')
  })
})

describe('the doctor reports', () => {
  test('settings that do not reach the database', async () => {
    const proxy = await startProxy(DATABASE_URL)
    // Renames the settings, which has the effect of a pooler that ignores them.
    const renameSettings = (bytes: Buffer) =>
      Buffer.from(bytes.toString('latin1').replace('plan_cache_', 'plan.cache_').replace('statement_t', 'statement.t'), 'latin1') // prettier-ignore
    proxy.setHandler((client, open) => {
      const upstream = open()
      client.once('data', (bytes: Buffer) => {
        upstream.write(renameSettings(bytes))
        client.pipe(upstream).pipe(client)
      })
      client.once('close', () => upstream.destroy())
    })
    const line = (await examine({ DATABASE_URL: proxy.url })).line('session')
    proxy.close()
    assert.equal(line, 'warning: Settings that the service requests are not in effect: plan_cache_mode is auto instead of force_custom_plan, statement_timeout is 0 ms instead of 10000 ms.') // prettier-ignore
  })

  test('a wrong clock, and a certificate that expires soon or has expired', async () => {
    const anotherTime = 'Date.now = () => Date.UTC(2119, 11, 25) + performance.now()'
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(anotherTime)}`
    const environment = { DATABASE_URL, TLS_CERT: pairs.first.cert, TLS_KEY: pairs.first.key }
    const { out } = await command(['doctor', '--json'], { ...environment, NODE_OPTIONS })
    const { line } = withFindings(out)
    assert.match(line('clock'), /^warning: The database's clock is \d{9,10}\.\d s behind this machine's\.$/)
    assert.match(
      line('certificate'),
      /^warning: The certificate for DNS:localhost.* 2020-.* to 2120-01-01T00:00:00.000Z\.$/,
    )
    const certificate = async ({ cert: TLS_CERT, key: TLS_KEY }: typeof pairs.first) =>
      (await examine({ DATABASE_URL, TLS_CERT, TLS_KEY })).line('certificate')
    assert.match(await certificate(pairs.first), /^ok: /)
    assert.match(
      await certificate(pairs.expired),
      /^fault: .* is not valid now: .* only from .* to 2021-01-01T00:00:00.000Z\.$/,
    )
  })

  test('a limit on open files that is lower than MAX_CONNECTIONS requires', async () => {
    const start = ['-c', 'ulimit -n 500 && exec "$0" dist/workgate.mjs doctor --json', process.execPath]
    const child = spawn('sh', start, { env: { DATABASE_URL } })
    const text = child.stdout.toArray()
    await once(child, 'close')
    const line = withFindings((await text).join('')).line('files')
    assert.equal(line, 'warning: A process may open at most 500 files, and needs up to 10112 for MAX_CONNECTIONS.')
  })

  test('connections that the running service refused', async (t) => {
    const lines: string[] = []
    const start = { DATABASE_URL, METRICS_LISTEN: '127.0.0.1:0', MAX_CONNECTIONS: '1' }
    const service = await startArtifact(start, lines)
    cleanUp(t, () => service.close())
    const [, address] = /"url":"http:..([\d.:]+).metrics"/.exec(lines.join('\n'))!
    const settings = { DATABASE_URL, METRICS_LISTEN: address! }
    assert.equal((await examine(settings)).of('load').state, 'ok')
    const port = Number(new URL(service.url).port)
    const first = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    cleanUp(t, () => first.destroy())
    await once(first, 'connect')
    const second = connect(port, '127.0.0.1').on('error', () => {})
    cleanUp(t, () => second.destroy())
    await once(first, 'close')
    const refused = 'Refused since the service started: idle connections that were closed for new ones (1).'
    assert.equal((await examine(settings)).line('load'), `warning: ${refused}`)
    await service.close()
    assert.equal((await examine(settings)).of('load'), undefined, 'not checked while the service is not running')
  })

  test('an unreachable database, immediately', async () => {
    const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' }
    const { code, out, err } = await command(['doctor'], nowhere)
    assert.deepEqual([code, err], [1, 'workgate: the doctor found 1 fault'])
    assert.match(
      out,
      /^fault {4}database {5}the database at 127.0.0.1:\d+ cannot be reached: connection refused \(ECONNREFUSED\)\.\n {22}The remaining checks/m,
    )
    const { of, error } = await examine(nowhere)
    assert.deepEqual([of('database').state, error], ['fault', 'the doctor found 1 fault'])
  })
})

test('the service creates its role in the embedded database, and the space on its disk is checked', async (t) => {
  const { postgresBin } = run()
  const DATA_DIR = await temporaryFolder(t)
  // A database without a schema, since the doctor creates none.
  await (await startEmbedded({ ...optionsFor(DATA_DIR), postgresBin })).stop()
  const { of, faults } = await examine({
    DATA_DIR,
    ...(postgresBin && { POSTGRES_BIN: postgresBin }),
  })
  assert.deepEqual([of('role').state, of('durability').state], ['ok', 'ok'])
  assert.equal(of('role').finding, 'workgate_api does not exist yet: the service creates it when it starts')
  assert.match(of('space').finding, /and DATA_DIR has [\d,]+ MB free/)
  assert.deepEqual([of('migrations').state, faults], ['fault', 1])
})

test('an older version of PostgreSQL is a fault, an unknown newer one a warning', () => {
  const stateOf = (number: number) => checkVersion({ number, version: '', database: '' }).state
  assert.deepEqual([139_999, 140_000, 150_016, 189_999, 190_000].map(stateOf), ['fault', 'ok', 'ok', 'ok', 'warning'])
})

test('little free space is a warning, and very little a fault', () => {
  const [MB, GB] = [1e6, 1e9]
  // prettier-ignore
  const cases: [freeBytes: number, sizeBytes: number, state: string][] = [
    [100 * MB - 1, 0, 'fault'], [100 * MB, 0, 'warning'], [GB - 1, 0, 'warning'], [GB, 0, 'ok'], [GB, 10 * GB, 'ok'], [GB, 11 * GB, 'warning'],
  ]
  for (const [free, size, state] of cases) assert.equal(judgeSpace(free, size).state, state, `${free} of ${size}`)
})
