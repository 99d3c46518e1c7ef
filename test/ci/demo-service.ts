// The built artifact with the demo data, for tools that read its OpenAPI document and send requests.

import { succeeds } from '../faults/fixtures/embedded.ts'
import { execFile, spawn, type ExecFileOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { recordSecret } from '../support/log.ts'

const execute = promisify(execFile)

export async function startDemoService(demo = ['--until', '2026-11-21', '--tasks', '300', '--projects', '3']) {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-openapi-'))
  // PostgreSQL does not run as root.
  await chmod(folder, 0o755)
  const at = (...names: string[]) => join(folder, ...names)
  await run('node', ['src/build/prepare.mjs'])
  const program = join(process.cwd(), 'dist/workgate.mjs')
  const env = { PATH: process.env['PATH'], DATA_DIR: at('data'), PORT: '0', RATE_LIMIT_PER_MINUTE: '0' }
  const workgate = (...args: string[]) => run('node', [program, ...args], { env })
  const service = spawn('node', [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const origin = await new Promise<string>((resolve, reject) => {
    service.stdout.on('data', (bytes: Buffer) => {
      const [, url] = /"message":"listening","url":"([^"]+)"/.exec(String(bytes)) ?? []
      if (url) resolve(url)
    })
    service.once('exit', () => reject(new Error('the service exited')))
  })
  await workgate('demo', ...demo)
  const key = (await workgate('keys', 'create', 'clients', '--all-projects')).trim()
  recordSecret(key)
  const document = await fetch(`${origin}/openapi.json`)
  await writeFile(at('openapi.json'), await document.text())

  return {
    origin,
    /** For all projects and operations. */
    key,
    /** A path in a temporary folder, which contains openapi.json. */
    at,
    /** Runs a program in the folder or below. Returns its output, and throws if it fails. */
    run: (program: string, args: readonly string[], options: ExecFileOptions = {}) =>
      run(program, args, { cwd: folder, ...options }),
    async stop() {
      if (service.exitCode === null) {
        service.kill('SIGTERM')
        await once(service, 'exit')
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

async function run(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const { stdout } = await execute(program, [...args], { maxBuffer: 2 ** 26, ...options }).catch((error) => {
    throw new Error(`${program} failed:\n${`${error.message}\n${error.stdout}`.slice(-20_000)}`)
  })
  return String(stdout)
}

/** True if the program is on the PATH. */
export async function isInstalled(program: string): Promise<boolean> {
  return succeeds(run('sh', ['-c', 'command -v "$0"', program]))
}
