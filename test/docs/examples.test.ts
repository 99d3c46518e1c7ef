// The examples of the documentation are the responses of the service to requests on the demo data.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { fillWithDemo } from '../../src/commands/demo/fill.ts'
import { examples, type Example } from '../../src/docs/operations.ts'
import { routes } from '../../src/routes.ts'
import { conforming } from '../support/conformance.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { api } from '../support/workgate.ts'
import { requests } from './requests.ts'

const file = 'src/docs/examples.json'
const writing = process.env['REFRESH'] !== undefined
const mismatch = `${file} differs. If the response is right: npm run refresh`

/**
 * Fields that depend on the current date or the time of a write, and generated ids. They must exist but are not compared.
 * Their format is checked in the example and in the response.
 */
const changing: Record<string, string[]> = {
  listChanges: ['meta.cursor', 'meta.nextCursor'],
  listChangesAcrossProjects: ['meta.cursor', 'meta.nextCursor'],
  getKey: ['data.id', 'data.createdAt'],
  summarizeProjects: ['data.0.tasks.overdue', 'data.1.tasks.overdue', 'totals.tasks.overdue'],
  getOverview: [
    'data.tasks.overdue',
    'data.createdLast7Days',
    'data.completedLast7Days',
    ...Array.from({ length: 50 }, (_, n) => `data.byAssignee.items.${n}.overdue`),
  ],
  getProgress: ['data.throughputPerWeek', 'data.forecast', 'data.forecastReason'],
  createProject: ['data.id', 'data.key', 'data.createdAt', 'data.updatedAt'],
  createTask: ['data.id', 'data.createdAt', 'data.updatedAt'],
}

const made: Record<string, Example> = {}

const { workgate } = await contractSuite({ key: false })
const db = openDatabase({ target: { url: workgate.url }, poolSize: 1, statementTimeoutMs: 60_000 })
await fillWithDemo(db, { projects: 3, tasks: 300, until: '2026-11-21' })
await db.close()
const found = await workgate.sql`select id from workgate.projects where key in ('API', 'WEB') order by key`
const projects = found.map(({ id }) => id as string)
const operations = ['create_project', 'create_task', 'complete_task']
const key = await workgate.issueKey('reports', { projects, operations, rateLimit: 600, expiresAt: '2099-01-01' })

after(async () => {
  if (!writing) return
  const { format } = await import('prettier')
  await writeFile(file, await format(JSON.stringify(made), { filepath: file, printWidth: 120 }))
})

// Reads come first, because they would show the results of writes.
for (const [method, , { docs }] of [...routes].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
  const id = docs.operationId
  test(`the example of ${id} is current`, async () => {
    assert.ok(requests[id], `add ${id} to test/docs/requests.ts`)
    const { path, body } = requests[id]
    const headers = { 'content-type': 'application/json' }
    const reply = await workgate.send(
      `${method} ${path}`,
      body ? { key, headers, body: JSON.stringify(body) } : { key },
    )
    assert.notDeepEqual(reply.body?.data, [], 'the demo has no such objects')
    const now = { ...(body && { request: body }), response: reply.body }
    const documented = examples[id]
    if (writing) made[id] = isDeepStrictEqual(unchanging(id, now), unchanging(id, documented)) ? documented! : now
    else assert.deepEqual(unchanging(id, documented), unchanging(id, now), mismatch)
    const example = writing ? made[id]! : documented!
    conforming(method, api + path, { ...reply, body: example.response })
  })
}

function unchanging(id: string, example: Example | undefined): Example | undefined {
  const copy = structuredClone(example)
  for (const path of changing[id] ?? []) {
    const steps = path.split('.')
    const last = steps.pop()!
    const place = steps.reduce<any>((value, step) => value?.[step], copy?.response)
    if (place && last in place) place[last] = 'something'
  }
  return copy
}
