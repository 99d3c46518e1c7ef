// Starts a Gitea on SQLite, with two users and a repository. The path of its program is in GITEA.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { cleanUp, temporaryFolder } from '../../faults/fixtures/embedded.ts'
import { recordSecret } from '../../support/log.ts'
import { freePort } from '../../support/server.ts'

const execute = promisify(execFile)
const isRoot = process.getuid?.() === 0
/** The user "nobody" of Debian: Gitea refuses to run as root. */
const nobody = 65_534

export interface Reply {
  status: number
  body: any
}

/** The reader can only see repositories to which it is added. */
export async function startGitea(t: TestContext, program: string) {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o755)
  if (isRoot) await chown(folder, nobody, nobody)
  const origin = `http://127.0.0.1:${await freePort()}`
  const settings = join(folder, 'app.ini')
  await writeFile(settings, settingsOf(folder, origin))
  const options = {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, USER: 'nobody', GITEA_WORK_DIR: folder },
    ...(isRoot && { uid: nobody, gid: nobody }),
  }
  if (isRoot) await chown(settings, nobody, nobody)
  const command = (...args: string[]) => execute(program, ['-c', settings, ...args], options)
  const password = `P-${crypto.randomUUID()}`
  await command('migrate')
  await command('admin', 'user', 'create', '--admin', '--username', 'ann', '--password', password, '--email', 'ann@example.org', '--must-change-password=false') // prettier-ignore

  const server = spawn(program, ['-c', settings, 'web'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(server, 'exit')
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text))
  cleanUp(t, async () => {
    server.kill()
    await ended
  })
  for (;;) {
    assert.equal(server.exitCode, null, output)
    const isUp = await fetch(`${origin}/api/v1/version`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }

  async function send(authorization: string, line: string, body?: object): Promise<Reply> {
    const [method, path] = line.split(' ') as [string, string]
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
  }
  async function tokenOf(user: string): Promise<string> {
    const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const { body } = await send(basic, `POST /users/${user}/tokens`, { name: 'test', scopes: ['all'] })
    recordSecret(body.sha1)
    return body.sha1
  }
  const token = await tokenOf('ann')
  /** Sends a request of an administrator, which must succeed unless `mayFail`. */
  async function ann(line: string, body?: object, mayFail = false): Promise<any> {
    const reply = await send(`token ${token}`, line, body)
    assert.ok(mayFail || reply.status < 300, `${line}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.status < 300 ? reply.body : undefined
  }
  await ann('POST /admin/users', { username: 'reader', password, email: 'reader@example.org', must_change_password: false }) // prettier-ignore
  return { origin, ann, readerToken: await tokenOf('reader') }
}

export type Gitea = Awaited<ReturnType<typeof startGitea>>

const settingsOf = (folder: string, origin: string) => `
RUN_USER = ${isRoot ? 'nobody' : process.env['USER']}
RUN_MODE = prod
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${new URL(origin).port}
ROOT_URL = ${origin}/
OFFLINE_MODE = true
DISABLE_SSH = true
[database]
DB_TYPE = sqlite3
PATH = ${join(folder, 'gitea.db')}
SQLITE_JOURNAL_MODE = WAL
SQLITE_TIMEOUT = 20000
[security]
INSTALL_LOCK = true
SECRET_KEY = ${crypto.randomUUID()}
[log]
LEVEL = Warn
ROOT_PATH = ${join(folder, 'log')}
[repository]
ROOT = ${join(folder, 'repositories')}
[service]
ENABLE_TIMETRACKING = true
DEFAULT_ENABLE_TIMETRACKING = true
`
