// Keys from the command line of the artifact.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { keyIdOf } from '../../src/access/key-text.ts'
import { app, insertData, missing, web } from '../support/data.ts'
import { keepSecret } from '../support/log.ts'
import { command, freshDatabase } from '../support/workgate.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>

before(async () => {
  database = await freshDatabase()
  await insertData(database.sql)
})
after(() => database.drop())

const keys = async (...args: string[]) => {
  const result = await command(['keys', ...args], { DATABASE_URL: database.url })
  if (result.out.startsWith('wg_')) keepSecret(result.out)
  return result
}

test('a key is created, listed, re-scoped, rotated and revoked', async () => {
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
      operations: ['create_task'],
      rateLimitPerMinute: 30,
      expiresAt: '2099-01-01T00:00:00.000Z',
      revokedAt: null,
      createdAt: null,
      lastUsedAt: null,
    },
  )

  assert.equal((await keys('projects', 'ci', '--projects', app)).out, 'The key "ci" reaches 1 project.')
  const rotated = await keys('rotate', 'ci', '--overlap', '1 hour')
  assert.ok(keyIdOf(rotated.out) && rotated.out !== created.out)
  assert.match(
    (await keys('list')).out,
    /^NAME +ID +STATUS.*\nci +\w{12} +rotated .*\nci +\w{12} +active +1 +create_task/,
  )
  assert.equal((await keys('revoke', 'ci')).out, 'The key "ci" is revoked.')
  assert.doesNotMatch((await keys()).out, /active|rotated/)
})

// prettier-ignore
const refused: [claim: string, args: string[], message: RegExp][] = [
  ['no scope',                 ['create', 'x'],                                           /--all-projects or --projects/],
  ['both scopes',              ['create', 'x', '--all-projects', '--projects', web],      /--all-projects or --projects/],
  ['no name',                  ['create', '--all-projects'],                              /name of one key/],
  ['two names',                ['create', 'x', 'y', '--all-projects'],                    /name of one key/],
  ['an unknown option',        ['create', 'x', '--all'],                                  /Unknown option '--all'/],
  ['an unknown project',       ['create', 'x', '--projects', missing],                    /no such project/],
  ['what is no project id',    ['create', 'x', '--projects', 'web'],                      /invalid input syntax for type uuid/],
  ['an unknown operation',     ['create', 'x', '--all-projects', '--operations', 'fly'],  /api_keys_operations/],
  ['an expiry that is none',   ['create', 'x', '--all-projects', '--expires', 'soon'],    /invalid input syntax/],
  ['a limit that is none',     ['create', 'x', '--all-projects', '--rate-limit', 'many'], /invalid input syntax/],
  ['an unknown key',           ['revoke', 'nobody'],                                      /no API key named "nobody"/],
  ['an unknown action',        ['delete', 'x'],                                           /there is no "keys delete"/],
]

describe('refused with code 2 and a reason', () => {
  for (const [claim, args, message] of refused) {
    test(claim, async () => {
      const { code, out, err } = await keys(...args)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, message)
      assert.doesNotMatch(err, /\n\s+at /)
    })
  }
})
