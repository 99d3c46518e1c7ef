// Schemathesis reports no fault: no response differs from the OpenAPI document, and the service accepts what it permits.

import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { isInstalled, startDemoService } from './demo-service.ts'

const version = '4.32.5'
const isMissing = !(await isInstalled('python3'))

test('schemathesis reports no fault', { skip: isMissing && !process.env['CI'] && 'SKIPPED: no python3' }, async (t) => {
  assert.ok((await readFile('src/docs/guides/clients.md', 'utf8')).includes(`Schemathesis ${version}`))
  const { origin, key, at, run, stop } = await startDemoService()
  after(stop)
  await cp('test/ci/clients/schemathesis', at('.'), { recursive: true })
  await run('python3', ['-m', 'venv', 'venv'])
  await run('venv/bin/pip', ['install', '-q', `schemathesis==${version}`])
  const options = [
    '--origin',
    origin,
    '--max-examples',
    process.env['CLIENTS'] === 'all' ? '10' : '3',
    '--no-color',
    '--warnings',
    'off',
  ]
  const env = { ...process.env, PYTHONPATH: at('.'), WORKGATE_KEY: key }
  const report = await run('venv/bin/schemathesis', ['run', 'openapi.json', ...options], { env })
  const [, summary] = /(Test cases:\s+.*)/.exec(report)!
  t.diagnostic(report.slice(report.indexOf('= SUMMARY')))
  const [, generated, passed] = /(\d+) generated, (\d+) passed/.exec(report.slice(report.indexOf(summary!)))!
  assert.ok(Number(generated) > 1_000)
  assert.equal(passed, generated)
})
