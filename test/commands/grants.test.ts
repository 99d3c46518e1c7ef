// workgate grants, and commands run by the role that it creates: they work or say which role can run them.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { examine } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { asLeast, command, startArtifact } from '../support/workgate.ts'

const { out: grants } = await command(['grants'], {})
const empty = await suiteDatabase(undefined, 'template0')
const database = await suiteDatabase(async (sql) => {
  await sql`insert into workgate.projects (key, name) values ('WEB', 'Web site')`
  await sql.unsafe(grants)
})

test('grants prints the script', async () =>
  assert.equal(grants, (await readFile('sql/roles/workgate-api.sql', 'utf8')).trim()))

test('the service starts, and there is nothing to migrate', async () => {
  const service = await startArtifact({ DATABASE_URL: asLeast(database.url) })
  assert.equal((await service.send('GET //readyz')).status, 200)
  await service.close()
  const { code, out } = await command(['migrate'], { DATABASE_URL: asLeast(database.url) })
  assert.deepEqual([code, /^All \d+ migrations are applied\.$/.test(out)], [0, true])
})

test('projects lists the projects', async () => {
  const { code, out } = await command(['projects'], { DATABASE_URL: asLeast(database.url) })
  assert.equal(code, 0)
  assert.match(out, /^WEB +active +0 +0 +0 +Web site$/m)
})

test('the doctor finds no missing privileges, and refers to the owner for repairs', async () => {
  const { of } = await examine({ DATABASE_URL: asLeast(database.url) }, '--repair')
  assert.equal(of('role').finding, 'workgate_api has the privileges that the service needs, but may not migrate')
  assert.equal(of('role').state, 'ok')
  assert.equal(of('tallies').state, 'fault')
  assert.match(of('tallies').advice, /as the owner of schema workgate/)
})

const needsOwner =
  /^workgate: database error: permission denied for (table|view) \w+ \(42501\); .* other commands must run as the owner of schema workgate$/
const needsMigrating =
  /^workgate: the database has pending migrations \(0001-directory, .*\), and this role is not allowed to apply them: run "DATABASE_URL=… node dist\/workgate\.mjs migrate" as the owner of schema workgate$/

// prettier-ignore
const refused: [args: string[], on: typeof database, message: RegExp][] = [
  [['keys', 'create', 'mine', '--all-projects'], database, needsOwner],
  [['keys', 'list'],                             database, needsOwner],
  [['demo'],                                     database, needsOwner],
  [['serve'],                                    empty,    needsMigrating],
  [['migrate'],                                  empty,    needsMigrating],
]

describe('refused with code 1 and a remedy:', { concurrency: 2 }, () => {
  for (const [args, on, message] of refused) {
    test(args.join(' '), async () => {
      const { code, err } = await command(args, { DATABASE_URL: asLeast(on.url), PORT: '0' })
      assert.equal(code, 1)
      assert.match(err, message)
    })
  }
})
