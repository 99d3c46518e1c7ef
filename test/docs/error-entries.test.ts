// The details that the guide shows of every code are those that the service gives.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { entries } from '../../src/docs/error-entries.ts'
import type { Code } from '../../src/problem.ts'
import { insertTasks } from '../support/tasks.ts'
import type { Ask } from '../support/workgate.ts'
import { app, id, insertData, old, openWorkgate, web, type Workgate } from '../support/writes.ts'

let workgate: Workgate
const keys: Record<string, string> = {}

before(async () => {
  workgate = await openWorkgate()
  const { sql } = workgate
  await insertData(sql)
  await insertTasks(sql)
  await sql`update workgate.projects set status = 'archived' where id = ${old}`
  keys['all'] = await workgate.issueKey('all')
  keys['web'] = await workgate.issueKey('web', { projects: [web] })
  keys['slow'] = await workgate.issueKey('slow', { rateLimit: 2 })
  keys['old'] = await workgate.issueKey('old')
  keys['billing'] = await workgate.issueKey('billing')
  await sql`update workgate.api_keys set expires_at = '2025-01-31' where name = 'old'`
  await sql`select workgate.revoke_key('billing')`
})
after(() => workgate.close())

const json = { 'content-type': 'application/json' }
const tasks = `/projects/${web}/tasks`
const other = { ...json, 'idempotency-key': 'order-4711' }

// prettier-ignore
const requests: [code: Code, line: string, key?: string, ask?: Ask, times?: number][] = [
  ['VALIDATION_FAILED',      'GET /projects?stauts=active',                  'all'],
  ['MALFORMED_JSON',         `POST ${tasks}`,                                'all', { headers: json, body: '{"title": ' }],
  ['INVALID_CURSOR',         `GET ${tasks}?cursor=abc`,                      'all'],
  ['AMBIGUOUS_CREDENTIALS',  'GET /key',                                     'all', { headers: { 'x-api-key': 'another' } }],
  ['UNAUTHENTICATED',        'GET /key',                                     'nobody'],
  ['KEY_EXPIRED',            'GET /key',                                     'old'],
  ['KEY_REVOKED',            'GET /key',                                     'billing'],
  ['ACCESS_DENIED',          `GET /projects/${app}/tasks`,                   'web'],
  ['OPERATION_DENIED',       'POST /projects',                               'web', { headers: json, body: '{"name":"x"}' }],
  ['NOT_FOUND',              `GET ${tasks}/${id('task', 99)}`,               'all'],
  ['METHOD_NOT_ALLOWED',     `DELETE ${tasks}`,                              'all'],
  ['TASK_CANCELLED',         `POST ${tasks}/${id('task', 5)}/complete`,      'all'],
  ['PROJECT_ARCHIVED',       `POST /projects/${old}/tasks`,                  'all', { headers: json, body: '{"title":"x"}' }],
  ['PROJECT_KEY_TAKEN',      'POST /projects',                               'all', { headers: json, body: '{"name":"x","key":"WEB"}' }],
  ['PRECONDITION_FAILED',    `POST ${tasks}/${id('task', 1)}/complete`,      'all', { headers: { 'if-match': '"x"' } }],
  ['BODY_TOO_LARGE',         `POST ${tasks}`,                                'all', { headers: json, body: ' '.repeat(262_145) }],
  ['URI_TOO_LONG',           `GET /projects?q=${'x'.repeat(8_192)}`,         'all'],
  ['UNSUPPORTED_MEDIA_TYPE', `POST ${tasks}`,                                'all', { body: '{"title":"x"}' }],
  ['IDEMPOTENCY_KEY_REUSED', `POST ${tasks}`,                                'all', { headers: other, body: '{"title":"other"}' }],
  ['RATE_LIMITED',           'GET /key',                                     'slow', {}, 3],
]

test('to a request that causes it', async () => {
  await workgate.send(`POST ${tasks}`, { key: keys['all'], headers: other, body: '{"title":"one"}' })
  for (const [code, line, key = '', ask, times = 1] of requests) {
    const replies = []
    for (let n = 0; n < times; n++) replies.push(await workgate.send(line, { key: keys[key] ?? key, ...ask }))
    const { body } = replies.at(-1)!
    const withoutSeconds = (detail: string) => detail.replace(/in \d+ s\.$/, '')
    assert.deepEqual([body.code, withoutSeconds(body.detail)], [code, withoutSeconds(entries[code].detail)])
  }
})

test('or, where it takes more to cause it, as they stand in the code', async () => {
  const caused = requests.map(([code]) => code)
  const files = (await readdir('src', { recursive: true })).filter((file) => /^(?!docs).*\.ts$/.test(file))
  const source = (await Promise.all(files.map((file) => readFile(join('src', file), 'utf8')))).join('\n')
  const rest = Object.entries(entries).filter(([code]) => !caused.includes(code as Code))
  assert.ok(rest.length < 10)
  const unknown = rest.filter(([, { detail }]) => !source.includes(`'${detail}'`)).map(([code]) => code)
  assert.deepEqual(unknown, [])
})
