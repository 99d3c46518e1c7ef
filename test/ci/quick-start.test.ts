// Runs the quick starts of the README and of the guides in a clean clone, with the commands exactly as printed there:
// npm test -- --alone test/ci/quick-start.test.ts

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
let folder: string
let clone: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workgate-clone-'))
  await chmod(folder, 0o755)
  clone = join(folder, 'workgate')
  await run('git', ['clone', '-q', process.cwd(), clone])
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

test('npm start and then the commands of the README return a key and a first response', async () => {
  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  const quickStart = readme.split('## Quick start')[1]!.split('\n## ')[0]!
  const [start, ...rest] = [...quickStart.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim())
  const stdout = await follow(start!, rest, './workgate-data')
  assert.match(stdout, /"data":\[\{"id":"[0-9a-f-]{36}","key":"[A-Z0-9]+"/, stdout)
})

test('npm start and then the commands and programs of the guide read, write and walk pages', async () => {
  const guide = await readFile(join(clone, 'src/docs/guides/quick-start.html'), 'utf8')
  const samples = [...guide.matchAll(/<pre([^>]*)><code>([\s\S]*?)<\/code>/g)].map(([, attributes, code]) => ({
    file: /data-file="(.+?)"/.exec(attributes!)?.[1],
    runs: attributes!.includes('data-run'),
    code: code!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  }))
  for (const { file, code } of samples) if (file) await writeFile(join(clone, file), code)
  const commands = samples.filter(({ runs }) => runs).map(({ code }) => code)
  const stdout = await follow(samples[0]!.code, commands, './another-folder')
  assert.match(stdout, /"code":"VALIDATION_FAILED","detail":"stauts: is unknown; did you mean status\?"/)
  assert.match(
    stdout,
    /"title":"Call the printer".*"state":"open"[\s\S]*"title":"Call the printer".*"state":"completed"/,
  )
  // The walks in both languages count the same open tasks as the summary.
  const walked = stdout.match(/^\w+: \d+ open tasks$/gm)
  const { data } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"data":'))) as {
    data: { key: string; tasks: { open: number } }[]
  }
  const known = data.map(({ key, tasks }) => `${key}: ${tasks.open} open tasks`)
  assert.ok(known.length > 5)
  assert.deepEqual(walked, [...known, ...known])
})

/** Starts the service, runs the commands in order in one shell, and returns their output. */
async function follow(start: string, commands: string[], dataDir: string): Promise<string> {
  assert.equal(start, 'npm start')
  const { PATH, HOME, npm_config_registry } = process.env
  const env = { PATH, HOME, npm_config_registry, DATA_DIR: dataDir }
  const service = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await new Promise<void>((resolve, reject) => {
      service.stdout.on('data', (bytes: Buffer) => String(bytes).includes('"listening"') && resolve())
      service.once('exit', () => reject(new Error('npm start exited')))
    })
    // The output of a command need not end with a newline.
    const { stdout } = await run('bash', ['-euc', commands.join('\necho\n')], { cwd: clone, env })
    return stdout
  } finally {
    if (service.exitCode === null) {
      service.kill('SIGTERM')
      await once(service, 'exit')
    }
  }
}
