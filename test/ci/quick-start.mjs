// Does what the README's quick start says, in a clean clone: the commands are taken from it as they stand.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

test('npm start, then the commands of the README, give a key and a first answer', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-clone-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  await chmod(folder, 0o755)
  const clone = join(folder, 'workgate')
  await run('git', ['clone', '-q', process.cwd(), clone])

  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  const quickStart = readme.split('## Quick start')[1].split('\n## ')[0]
  const blocks = [...quickStart.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block)
  const [start, ...rest] = blocks
  assert.equal(start.trim(), 'npm start')

  const env = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_registry: process.env.npm_config_registry }
  const service = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(async () => {
    if (service.exitCode !== null) return
    service.kill('SIGTERM')
    await once(service, 'exit')
  })
  await new Promise((resolve, reject) => {
    service.stdout.on('data', (bytes) => String(bytes).includes('"listening"') && resolve())
    service.once('exit', () => reject(new Error('npm start ended')))
  })

  const { stdout } = await run('bash', ['-euc', rest.join('\n')], { cwd: clone, env })
  assert.match(stdout, /"data":\[\{"id":"[0-9a-f-]{36}","key":"[A-Z0-9]+"/, stdout)
})
