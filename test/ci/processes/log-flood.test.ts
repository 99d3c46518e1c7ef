// Requests without a verified key cannot flood the log: of many, some are logged one by one, and the others are counted
// in it. Runs against the artifact.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { recordAttack } from '../../support/figures.ts'
import { readMetrics } from '../../support/prometheus.ts'
import { api, issueKey, type LogLine } from '../../support/workgate.ts'
import { startWorkers } from '../../workers/workers-service.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { valuesOf } from '../../support/values.ts'

const { url: DATABASE_URL, sql, key } = await databaseSuite()

const summary = 'further refused or public requests'
const maxLines = 100
const windowMs = 10_000
const perKind = 100
// prettier-ignore
const kinds: [path: string, status: number, code: string | undefined][] = [
  ['/openapi.json',        200, undefined],
  ['/nothing',             404, 'NOT_FOUND'],
  [`${api}/projects`,      401, 'UNAUTHENTICATED'],
  [`/${'a'.repeat(9_000)}`, 414, 'URI_TOO_LONG'],
]
const sent = kinds.length * perKind

const isVerified = (line: LogLine) => 'keyId' in line
const sum = (counts: object) => Object.values(counts).reduce<number>((total, count: number) => total + count, 0)

for (const WORKERS of ['1', '2']) {
  test(`of ${sent} requests without a key, the log contains 100, and the number of the others, with WORKERS=${WORKERS}`, async (t) => {
    const service = await startWorkers({ DATABASE_URL, WORKERS, METRICS_LISTEN: '127.0.0.1:0' })
    cleanUp(t, () => service.child.kill('SIGKILL'))
    const began = performance.now()
    for (let n = 0; n < perKind; n++) {
      const got = await Promise.all([...kinds.map(([path]) => service.ask(path, '')), service.ask(`${api}/key`, key)])
      assert.deepEqual(valuesOf(got, 'status'), [...kinds.map(([, status]) => status), 200])
    }
    const metrics = await (await fetch(String(service.linesWith('serving metrics')[0]!['url']))).text()
    const windows = Math.floor((performance.now() - began) / windowMs) + 1
    service.child.kill('SIGTERM')
    await service.ended

    const logged = service.linesWith('request')
    const summaries = service.linesWith(summary)
    const unverified = logged.filter((line) => !isVerified(line))
    assert.equal(logged.filter(isVerified).length, perKind)
    assert.ok(unverified.length >= maxLines && unverified.length <= maxLines * windows, `${unverified.length}`)
    for (const [, status, code] of kinds) {
      const counted = (field: string, name: string | number) =>
        summaries.reduce((total, line) => total + ((line[field] as Record<string, number>)[name] ?? 0), 0)
      const alone = unverified.filter((line) => line['status'] === status).length
      assert.equal(alone + counted('statuses', status), perKind, `${status}`)
      if (code) assert.equal(alone + counted('codes', code), perKind, code)
    }
    recordAttack(
      `${sent} requests without a key at once`,
      `in 10 seconds, ${maxLines} are logged one by one, and the others as one line with their counts`,
      { 'log lines': unverified.length + summaries.length },
    )
    for (const { count, statuses } of summaries) assert.equal(sum(statuses as object), count)
    const requests = readMetrics(metrics).get('workgate_http_requests_total')!.samples
    assert.equal(
      requests.reduce((total, { value }) => total + value, 0),
      sent + perKind,
    )
  })
}

test('the same applies to requests over the rate limit of their key', async (t) => {
  const service = await startWorkers({ DATABASE_URL, WORKERS: '1' })
  cleanUp(t, () => service.child.kill('SIGKILL'))
  const limited = await issueKey(sql, 'limited', { rateLimit: 1 })
  const began = performance.now()
  let refused = 0
  while (refused < 3 * maxLines) if ((await service.ask(`${api}/key`, limited)).status === 429) refused++
  const windows = Math.floor((performance.now() - began) / windowMs) + 1
  service.child.kill('SIGTERM')
  await service.ended

  const alone = service.linesWith('request').filter(({ status }) => status === 429).length
  const counted = service.linesWith(summary).map(({ statuses }) => (statuses as Record<string, number>)['429'] ?? 0)
  assert.ok(alone <= maxLines * windows, `${alone}`)
  assert.equal(alone + sum(counted), refused)
})

test('after the line with the counts, requests without a key are logged one by one again', async (t) => {
  const service = await startWorkers({ DATABASE_URL, WORKERS: '1' })
  cleanUp(t, () => service.child.kill('SIGKILL'))
  const ask = () => service.ask('/openapi.json', '')
  await until('the counts are logged', async () => (await ask()) && service.linesWith(summary).length > 0)
  await ask()
  await until('a request is logged', () => service.linesWith('request').length > maxLines)
})
