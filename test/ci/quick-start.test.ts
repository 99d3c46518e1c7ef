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
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'

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

test('after npm start, the commands of the README read, write and verify', async () => {
  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  const [start, ...rest] = commandsIn(readChapter(readme, '## Quick start'))
  const stdout = await follow(start!, rest, './workgate-data')
  assert.match(stdout, /^\{"data":\[\{"id":"[0-9a-f-]{36}","key":"[A-Z0-9]+"/m)
  assert.match(stdout, /^\{"data":\{.*"title":"Call the printer".*"state":"open"/m)
  assert.match(stdout, /^\{"data":\{.*"verified":true,.*"state":"completed"/m)
})

test('after npm start, the commands and programs of the guide read, write and walk pages', async () => {
  const guide = await readFile(join(clone, 'src/docs/guides/quick-start.md'), 'utf8')
  for (const { file, code } of readCodeBlocks(guide)) if (file) await writeFile(join(clone, file), code)
  const [start, ...rest] = commandsIn(guide)
  const stdout = await follow(start!, rest, './another-folder')
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

const commandsIn = (markdown: string) =>
  readCodeBlocks(markdown)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)

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
