// The alerting rules for Prometheus and the dashboard for Grafana use only metrics that exist, and each alert fires when
// it should.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { problems } from '../../../src/api/problems/problem.ts'
import dashboard from '../../../src/docs/monitoring/workgate-dashboard.json' with { type: 'json' }
import { listMetrics } from '../../../src/runtime/metrics/catalog.ts'
import { temporaryFolder } from '../../faults/fixtures/embedded.ts'

const rulesFile = resolve('src/docs/monitoring/workgate-alerts.yaml')
const rules = await readFile(rulesFile, 'utf8')
const alertExpressions = [...rules.matchAll(/ expr: (?:>-)?([^]+?) for: /g)].map(([, text]) => text!.trim())
const panelExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const metrics = new Map(listMetrics().map(({ name, labels }) => [name, labels as readonly string[]]))
const fromPrometheus = ['job', 'instance', 'le']

describe('the metrics, labels and codes exist in', () => {
  for (const expression of [...alertExpressions, ...panelExpressions]) {
    test(expression, () => {
      const used = [...expression.matchAll(/\b(?:workgate|process|nodejs)_\w+/g)].map(([name]) =>
        name.replace(/_bucket$/, ''),
      )
      const labels = used.flatMap((name) => metrics.get(name) ?? assert.fail(`there is no ${name}`))
      const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '))
      const matched = [...expression.matchAll(/(\w+)=~?"/g)].map(([, name]) => name!)
      const known = [...labels, ...fromPrometheus]
      assert.deepEqual([...grouped, ...matched].filter((label) => !known.includes(label)), []) // prettier-ignore
      const codes = /code=~?"([^"]+)"/.exec(expression)?.[1]!.split('|') ?? []
      assert.deepEqual(codes.filter((code) => !(code in problems)), []) // prettier-ignore
      assert.ok(used.length > 0 || expression.startsWith('up{'))
    })
  }
})

const problemsTotal = (code: string) => `workgate_problems_total{job="workgate",instance="a",code="${code}"}`
const requests = 'workgate_http_requests_total{job="workgate",instance="a",method="GET",route="/key",status="200"}'
const waiting = 'workgate_database_statements_waiting{job="workgate",instance="a",pool="statements"}'
const journal = 'workgate_journal_age_seconds{job="workgate",instance="a"}'
const replica = 'workgate_replica_usable{job="workgate",instance="a",server="b:5432"}'
const node = 'workgate_node_usable{job="workgate",instance="a",server="b:5432"}'
const up = 'up{job="workgate",instance="a"}'

type Series = Record<string, string>
/** Values of each minute, as promtool writes them: 0+6x90 begins at 0 and adds 6 for 90 minutes. */
// prettier-ignore
const cases: [alert: string, firing: Series, silent: Series][] = [
  ['WorkgateDown',              { [up]: '1x87 0x3' },                                               { [up]: '1x88 0x1' }],
  ['WorkgateUnavailable',       { [problemsTotal('UNAVAILABLE')]: '0+6x90', [requests]: '0+100x90' }, { [problemsTotal('UNAVAILABLE')]: '0+4x90', [requests]: '0+100x90' }],
  ['WorkgateErrors',            { [problemsTotal('INTERNAL')]: '0+2x90', [requests]: '0+100x90' },    { [problemsTotal('INTERNAL')]: '0+1x90', [requests]: '0+200x90' }],
  ['WorkgateStatementsWaiting', { [waiting]: '1x90' },                                              { [waiting]: '1x85 0 1x4' }],
  ['WorkgateKeysRefused',       { [problemsTotal('KEY_EXPIRED')]: '0+6x90', [problemsTotal('RATE_LIMITED')]: '0+6x90' }, { [problemsTotal('KEY_EXPIRED')]: '0+9x90', [problemsTotal('NOT_FOUND')]: '0+99x90' }],
  ['WorkgateJournalGrowing',    { [journal]: `${33 * 86_400}x90` },                                 { [journal]: `${31 * 86_400}x90` }],
  ['WorkgateReplicaUnusable',   { [replica]: '0x90' },                                              { [replica]: '1x84 0x4' }],
  ['WorkgateNodeUnusable',      { [node]: '0x90' },                                                 { [node]: '1x88 0x1' }],
]

const promtool = process.env['PROMTOOL']
const skip = !promtool && !process.env['CI'] && 'SKIPPED: PROMTOOL does not name the program'

/** JSON is YAML, too. */
async function runPromtool(t: TestContext, command: string, input: object) {
  const file = join(await temporaryFolder(t), 'input.yaml')
  await writeFile(file, JSON.stringify(input))
  await promisify(execFile)(promtool!, [command, 'rules', file])
}

test('Prometheus accepts every expression of the dashboard', { skip }, async (t) => {
  const expressions = panelExpressions.map((one) => one.replaceAll('$__rate_interval', '5m'))
  const groups = [{ name: 'dashboard', rules: expressions.map((expr, n) => ({ record: `panel:${n}`, expr })) }]
  await runPromtool(t, 'check', { groups })
})

test('Prometheus accepts the configuration in the guide', { skip }, async (t) => {
  const [, config] = /```yaml\n([^]+?)```/.exec(await readFile('src/docs/guides/monitoring.md', 'utf8'))!
  const file = join(await temporaryFolder(t), 'prometheus.yml')
  await writeFile(file, config!.replace('workgate-alerts.yaml', rulesFile))
  const { stdout } = await promisify(execFile)(promtool!, ['check', 'config', file])
  assert.match(stdout, /8 rules found/)
})

test('every alert has cases', () => {
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  assert.deepEqual(
    cases.map(([alert]) => alert),
    names,
  )
  assert.equal(alertExpressions.length, names.length)
})

for (const [alert, firing, silent] of cases) {
  for (const [claim, series, exp_samples] of [
    ['fires', firing, [{ labels: '{}', value: 1 }]],
    ['is silent just below its threshold', silent, []],
  ] as const) {
    test(`${alert} ${claim}`, { skip }, async (t) => {
      const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"})`
      const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }))
      const tests = [{ interval: '1m', input_series, promql_expr_test: [{ expr, eval_time: '90m', exp_samples }] }]
      await runPromtool(t, 'test', { rule_files: [rulesFile], evaluation_interval: '1m', tests })
    })
  }
}
