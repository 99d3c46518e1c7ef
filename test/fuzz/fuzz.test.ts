// Sends thousands of requests, most of them malformed in some way. None may cause an internal error, a response of
// undocumented form, a row of a project that the key cannot access, or a change by a refused request.

import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { problems, type Code } from '../../src/api/problems/problem.ts'
import { projectLists } from '../support/lists.ts'
import { rounds } from '../support/environment.ts'
import type { Reply } from '../support/workgate.ts'
import { issueKey } from '../support/workgate.ts'
import { insertProjects, mark, readDigests } from './fuzz-data.ts'
import { createWrites } from './fuzz-writes.ts'
import { createFuzz } from './fuzz-requests.ts'
import { openTarget, type Request } from './target.ts'

const reads = rounds(200, 3_000)
const badWrites = rounds(200, 3_000)
const goodWrites = rounds(100, 600)
const sampleEvery = rounds(20, 1)
const batch = 600
const atOnce = 8

const target = await openTarget()
after(() => target.close())
const [own, other] = await insertProjects(target.sql)
const otherIds = new Set(other.ids)
const operations = ['create_project', 'create_task', 'complete_task']
const key = await issueKey(target.sql, 'own', { projects: [own.project], operations })
const fuzz = createFuzz(20_261_121, own, other, key)
const headers = { authorization: `Bearer ${await issueKey(target.sql, 'all')}` }
for (const { project } of [own, other]) {
  for (const { path } of projectLists) {
    const list = `${path.replace(':projectId', project)}?limit=2`
    const reply = await target.send({ method: 'GET', target: list, headers })
    if (reply?.status === 200) fuzz.cursors.push(reply.body.meta.nextCursor)
  }
}
const inState = async (state: string) =>
  (await target.sql`select id from workgate.tasks where project_id = ${own.project} and state = ${state}`).map(
    ({ id }) => id as string,
  )
const writes = createWrites(4711, own, other, key, await inState('open'), await inState('cancelled'))
await target.sql`analyze`

/** Returns what a key for the own project must never see: ids of the other project, and the mark of its texts. */
function foreignIn(text: string): string[] {
  const ids = (text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi) ?? []).filter((id) =>
    otherIds.has(id.toLowerCase()),
  )
  return text.toLowerCase().includes(mark.toLowerCase()) ? [...ids, mark] : ids
}

/** Checks what the schemas of the document, which every response matches, cannot express. */
function checkForm({ method }: Request, { status, headers, text, body }: Reply) {
  assert.ok(status < 500, 'an internal error')
  assert.match(headers['x-request-id'] ?? '', /^[\w.:-]{1,64}$/)
  if (method === 'HEAD' && text === '') return
  if (status === 204 || status === 304) return assert.equal(text, '')
  if (status < 400) {
    if (body.meta) assert.equal(body.meta.hasMore, body.meta.nextCursor !== null)
    return
  }
  assert.ok(text.length < 10_000, 'the response must not repeat large input')
  const { type, title, status: inBody, code, detail, requestId, errors = [] } = body
  assert.deepEqual([problems[code as Code], inBody], [[status, title], status])
  assert.equal(type.split('#').at(-1), code)
  assert.equal(requestId, headers['x-request-id'])
  assert.notEqual(detail, '')
  if (code === 'VALIDATION_FAILED') assert.ok(errors.length > 0)
}

async function check(request: Request): Promise<Reply | undefined> {
  const reply = await target.send(request)
  if (!reply) return undefined
  try {
    checkForm(request, reply)
    // The expected values of a verification and the userId of a time report repeat the request.
    const text = reply.text.replaceAll(/"expected":"[^"]*"|"userId":\[[^\]]*\]/g, '')
    assert.deepEqual(foreignIn(JSON.stringify(reply.headers) + text), [], 'data of another project')
  } catch (error) {
    throw new Error(describeExchange(request, reply), { cause: error })
  }
  return reply
}

function describeExchange({ method, target, headers, body }: Request, { status, text }: Reply) {
  const { authorization: _, ...others } = headers
  const start = (value: unknown) =>
    (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
      .replaceAll(/(.{1,8})\1{20,}/gu, '$1…')
      .slice(0, 2_000)
  return `${method} ${target}\n${start(others)}\n${start(body)}\n${status} ${start(text)}`
}

/** Sends all requests, several at a time. */
async function sendAll(list: Request[], each: (request: Request, reply: Reply) => void) {
  const rest = list.values()
  const sender = async () => {
    for (const request of rest) {
      const reply = await check(request)
      if (reply) each(request, reply)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
}

const many = (n: number, make: () => Request) => Array.from({ length: n }, make)

/** Sends requests, none of which may change anything, in batches of a few hundred. */
async function sendRefused(t: TestContext, list: Request[], each: (request: Request, reply: Reply) => void = () => {}) {
  const codes: Record<string, number> = {}
  for (let at = 0; at < list.length; at += batch) {
    const before = await readDigests(target.sql)
    await sendAll(list.slice(at, at + batch), (request, reply) => {
      each(request, reply)
      const code = reply.body?.code ?? reply.status
      codes[code] = (codes[code] ?? 0) + 1
    })
    assert.deepEqual(await readDigests(target.sql), before, 'a request changed stored data')
  }
  t.diagnostic(JSON.stringify(codes))
}

test('nonsense in any parameter of any read changes nothing', (t) =>
  sendRefused(
    t,
    [...fuzz.sweep()].filter((_, at) => at % sampleEvery === 0),
  ))

test('random reads change nothing', (t) => sendRefused(t, many(reads, fuzz.request)))

test('writes with one error are refused and change nothing', (t) =>
  sendRefused(t, many(badWrites, writes.bad), (request, reply) =>
    assert.ok(reply.status >= 400, describeExchange(request, reply)),
  ))

test('valid writes among invalid ones and reads take effect, and nothing else does', async () => {
  const before = await readDigests(target.sql)
  const done = { tasks: 0, projects: 0, idempotency_records: 0 }
  const good = many(goodWrites, writes.good)
  const others = [...many(goodWrites / 2, writes.bad), ...many(goodWrites / 2, fuzz.request)]
  const isGood = new Set(good)
  const mixed = good.flatMap((request, at) => [request, others[at]!])
  await sendAll(mixed, (request, reply) => {
    if (!isGood.has(request)) return
    const completes = request.target.endsWith('/complete')
    assert.equal(reply.status, completes ? 200 : 201, describeExchange(request, reply))
    if (!completes) done[request.target === '/projects' ? 'projects' : 'tasks']++
    if (request.headers['idempotency-key']) done.idempotency_records++
  })
  const after = await readDigests(target.sql)
  const count = (digest: string | undefined) => Number(digest!.split(' ')[0])
  const added = Object.keys(after).map((table) => [table, count(after[table]) - count(before[table])] as const)
  assert.deepEqual(Object.fromEntries(added.filter(([table]) => table in done || table === 'boards')), {
    ...done,
    boards: done.projects,
  })
  const untouched = [
    'users',
    'teams',
    'team_members',
    'project_teams',
    'comments',
    'files',
    'time_entries',
    'documents',
  ]
  for (const table of untouched) assert.equal(after[table], before[table], table)
})
