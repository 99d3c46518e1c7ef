// TLS between the service and the PostgreSQL server, as selected by sslmode in DATABASE_URL:
// npm test -- [--postgres FOLDER] test/ci/database-tls.test.ts

import assert from 'node:assert/strict'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pairs, root } from '../support/certificates.ts'
import { run } from '../support/environment.ts'
import { startServer } from '../support/server.ts'
import { command, connect, startArtifact } from '../support/workgate.ts'

const folder = await mkdtemp(join(tmpdir(), 'workgate-tls-'))
await chmod(folder, 0o755)
const file = (name: string) => join(folder, name)
await writeFile(file('root.pem'), root)
await writeFile(file('cert.pem'), pairs.first.cert)
await writeFile(file('key.pem'), pairs.first.key, { mode: 0o600 })
// When root starts the server, it runs as user nobody.
if (process.getuid?.() === 0) await chown(file('key.pem'), 65_534, 65_534)
const settings = { ssl: 'on', ssl_cert_file: file('cert.pem'), ssl_key_file: file('key.pem') }
const server = await startServer(run().postgresBin, settings)
after(async () => {
  await server.remove()
  await rm(folder, { recursive: true })
})
// The certificate is for this name.
const url = server.url('postgres').replace('127.0.0.1', 'localhost')
const trusting = { NODE_EXTRA_CA_CERTS: file('root.pem') }

describe('the connection to the database', () => {
  // prettier-ignore
  const served: [claim: string, mode: string, isTrusting: boolean, isEncrypted: boolean][] = [
    ['is plain without sslmode',                                        '',                     false, false],
    ['is plain with sslmode=disable',                                   '?sslmode=disable',     false, false],
    ['is encrypted with sslmode=require, whatever the certificate',     '?sslmode=require',     false, true],
    ['is encrypted with sslmode=prefer if the server supports it',      '?sslmode=prefer',      false, true],
    ['is encrypted with sslmode=verify-full and a trusted certificate', '?sslmode=verify-full', true,  true],
  ]
  for (const [claim, mode, isTrusting, isEncrypted] of served) {
    test(claim, async (t) => {
      const service = await startArtifact({ DATABASE_URL: url + mode, ...(isTrusting && trusting) })
      t.after(() => service.close())
      assert.equal((await service.send('GET //readyz')).status, 200)
      const sql = connect(server.url('postgres'), { max: 1 })
      t.after(() => sql.end())
      const rows = await sql`
        select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where backend_type = 'client backend' and pid <> pg_backend_pid()`
      assert.deepEqual(
        rows.map((row) => row['ssl']),
        [isEncrypted],
      )
    })
  }
})

// Concurrent, because each retries for as long as a database may take to start.
describe('no connection is made', { concurrency: true }, () => {
  // prettier-ignore
  const refused: [claim: string, address: string, reason: RegExp][] = [
    ['to a server with an untrusted certificate',      `${url}?sslmode=verify-full`,      /certificate/],
    ['to a server without TLS if sslmode requires it', `${run().server}?sslmode=require`, /before secure TLS connection was established/],
  ]
  for (const [claim, address, reason] of refused) {
    test(claim, async () => {
      const { code, err } = await command(['migrate'], { DATABASE_URL: address })
      assert.equal(code, 1)
      const [, message] = /\nworkgate: the database at \S+ cannot be reached: (.*)$/.exec(err)!
      assert.match(message!, reason)
    })
  }
})
