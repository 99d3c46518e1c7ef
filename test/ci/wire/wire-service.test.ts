// The program from the operator's point of view, for every way to run Workgate: start, commands, TLS, shutdown.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { pairs, root } from '../../support/certificates.ts'
import { id, insertData, web } from '../../support/data.ts'
import { withFindings } from '../../support/doctor.ts'
import { run } from '../../support/environment.ts'
import { recordSecret } from '../../support/log.ts'
import { asService, command, freshDatabase, issueKey, serviceDatabase, startArtifact } from '../../support/workgate.ts'

async function start(t: TestContext, environment: Record<string, string> = {}) {
  const database = await serviceDatabase('artifact')
  cleanUp(t, database.drop)
  const lines: string[] = []
  const service = await startArtifact({ RATE_LIMIT_PER_MINUTE: '0', ...asService(database.url), ...environment }, lines)
  cleanUp(t, service.close)
  return { ...service, sql: database.sql, url: database.url, lines, origin: service.url }
}

test('the version command prints a version and a commit', async () => {
  const { code, out } = await command(['version'], {})
  assert.equal(code, 0)
  assert.match(out, /^\d+\.\d+\.\d+ \(commit [\w-]+\)$/)
})

test('an invalid setting is named, and the start fails with code 2', async () => {
  const { code, err } = await command(['serve'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', PORT: 'many' })
  assert.equal(code, 2)
  assert.match(err, /PORT/)
})

test('an empty database is migrated at the start', { skip: run().own && 'own databases are migrated' }, async (t) => {
  const database = await freshDatabase('template0')
  cleanUp(t, database.drop)
  const service = await startArtifact({ DATABASE_URL: database.url })
  cleanUp(t, service.close)
  assert.equal((await service.send('GET //readyz')).status, 200)
  assert.ok(Number((await database.sql`select count(*) from workgate.migrations`)[0]!['count']) > 0)
})

test('the commands work while a service runs: demo, keys, migrate, health, doctor', async (t) => {
  const { send, url, origin } = await start(t)
  // With the URL of the database's owner.
  const commands = (...args: string[]) => command(args, { DATABASE_URL: url })
  assert.match((await commands('demo', '--projects', '3', '--tasks', '60')).out, /3 projects/)
  const { out: key, err } = await commands('keys', 'create', 'first', '--all-projects')
  assert.match(key, /^wg_/, err)
  recordSecret(key)
  assert.equal((await send('GET /projects', { key })).body.data.length, 3)
  assert.equal(JSON.parse((await commands('keys', 'list', '--json')).out)[0].name, 'first')
  assert.match((await commands('migrate')).out, /^All \d+ migrations are applied\.$/m)
  const health = await command(['health'], { DATABASE_URL: url, PORT: new URL(origin).port })
  assert.deepEqual([health.code, health.out], [0, 'ok'])
  const report = withFindings((await commands('doctor', '--json')).out)
  for (const check of ['version', 'migrations', 'schema', 'keys', 'triggers', 'tallies']) {
    assert.equal(report.of(check).state, 'ok', check)
  }
  assert.equal((await commands('keys', 'revoke', 'first')).code, 0)
})

test(
  'clients get the certificate in TLS_CERT_FILE',
  { skip: !run().own && 'there is no folder that every runtime can read' },
  async (t) => {
    // The data folder is mounted in a container and readable in Deno.
    const database = await serviceDatabase('artifact')
    cleanUp(t, database.drop)
    const settings = asService(database.url)
    const [cert, secret] = ['cert.pem', 'key.pem'].map((name) => join(settings['DATA_DIR']!, name)) as [string, string]
    await writeFile(cert, pairs.first.cert)
    await writeFile(secret, pairs.first.key)
    const service = await startArtifact({ ...settings, TLS_CERT_FILE: cert, TLS_KEY_FILE: secret })
    cleanUp(t, service.close)
    const { port, protocol } = new URL(service.url)
    assert.equal(protocol, 'https:')
    const outgoing = request({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: root,
      path: '/readyz',
      agent: false,
    }).end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 200)
  },
)

describe('shutdown', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`on ${signal}, running requests and long polls get a response, and the exit code is 0`, async (t) => {
      const { child, send, sql, lines } = await start(t, { SHUTDOWN_GRACE_MS: '60000' })
      await insertData(sql)
      const key = await issueKey(sql, 'waiting')
      const verification = `/projects/${web}/tasks/${id('task', 1)}/work-packet/verification?state=completed`
      const waiting = send(`GET ${verification}&wait=30`, { key })
      assert.equal((await send(`GET ${verification}&wait=0.5`, { key })).body.data.verified, false)
      const ended = once(child, 'exit')
      child.kill(signal)
      await until('it stops', () => lines.some((line) => line.includes('"stopping"')))
      assert.equal((await waiting).status, 200)
      assert.deepEqual(await ended, [0, null])
      await until('its last line is read', () => lines.at(-1)!.includes('"stopped"'))
    })
  }
})
