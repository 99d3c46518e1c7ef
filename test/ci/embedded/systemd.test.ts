// The systemd unit that the artifact prints: systemd accepts it, and its command starts the service with its own
// PostgreSQL. In .ci/run, the step "users" runs this as an ordinary user.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { cleanUp, temporaryFolder } from '../../faults/fixtures/embedded.ts'
import { command } from '../../support/workgate.ts'
import { countProjects, makeKey, start } from '../in-a-folder.ts'

const { out: unit } = await command(['unit', 'systemd'], {})
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

const skip = spawnSync('systemd-analyze').error !== undefined && !process.env['CI'] && 'SKIPPED: no systemd-analyze'
test('systemd accepts the unit, and considers the service well protected', { skip }, async (t) => {
  const file = join(await temporaryFolder(t), 'workgate.service')
  await writeFile(file, `${unit}\n`)
  const analyze = (...args: string[]) => promisify(execFile)('systemd-analyze', [...args, file])
  assert.equal((await analyze('verify')).stderr, '')
  await analyze('security', '--offline=yes', '--threshold=20')
})

test('its command starts the service, from another folder, and it stops with SIGTERM', async (t) => {
  const [words, environment] = [valuesOf('ExecStart')[0]!.split(' '), valuesOf('Environment')]
  assert.deepEqual(environment, ['DATA_DIR=/var/lib/workgate'])
  const DATA_DIR = await temporaryFolder(t)
  const service = start('/', words, { DATA_DIR, PORT: '0' })
  cleanUp(t, () => void service.child.kill('SIGKILL'))
  const url = await service.url()
  const key = await makeKey(start('/', [...words, 'keys', 'create', 'first', '--all-projects'], { DATA_DIR }))
  assert.equal(await countProjects(url, key), 0)
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
})
