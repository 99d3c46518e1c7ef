// The service behind a Caddy with the configuration in the guide, which strips a prefix. Needs the program Caddy, whose
// path is in CADDY. behind-nginx.test.ts follows every link.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { insertData, web } from '../support/data.ts'
import { freePort } from '../support/server.ts'
import { api, freshDatabase, issueKey, startArtifact } from '../support/workgate.ts'

const caddyPath = process.env['CADDY']
const skip = caddyPath === undefined && !process.env['CI'] && 'SKIPPED: CADDY is not set'

test('behind the Caddy of the guide, links begin with the public address', { skip }, async (t) => {
  const database = await freshDatabase()
  cleanUp(t, () => database.drop())
  await insertData(database.sql)
  const key = await issueKey(database.sql, 'proxied')
  const service = await startArtifact({ DATABASE_URL: database.url, TRUST_PROXY: '1' })
  cleanUp(t, () => service.close())
  const origin = await startCaddy(t, new URL(service.url).host)
  const base = `${origin}/workgate`

  const send = (url: string, method = 'GET', body?: object) =>
    fetch(url, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const created = await send(`${base}${api}/projects/${web}/tasks`, 'POST', { title: 'Behind Caddy' })
  const location = created.headers.get('location')!
  assert.ok(location.startsWith(`${base}${api}/projects/${web}/tasks/`), location)
  assert.equal((await send(location)).status, 200)

  const page = await send(`${base}${api}/projects/${web}/tasks?limit=1`)
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link')!)!
  assert.ok(next!.startsWith(`${base}${api}/`), next)
  assert.equal((await send(next!)).status, 200)

  const { type } = (await (await send(`${base}/nothing`)).json()) as { type: string }
  assert.equal(type, `${base}/docs/errors#NOT_FOUND`)
  assert.equal((await send(type)).status, 200)

  const redirect = await send(base)
  assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, '/workgate/'])
})

/** Returns its address. The example of the guide is used with other addresses, and without TLS. */
async function startCaddy(t: TestContext, service: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-caddy-'))
  cleanUp(t, () => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const origin = `http://127.0.0.1:${await freePort()}`
  const chapter = readChapter(await readFile('src/docs/guides/network.md', 'utf8'), '### Caddy')
  let example = readCodeBlocks(chapter)[0]!.code
  for (const [printed, used] of [
    ['example.org', origin],
    ['127.0.0.1:8080', service],
  ] as const) {
    assert.ok(example.includes(printed), printed)
    example = example.replace(printed, used)
  }
  const config = join(folder, 'Caddyfile')
  await writeFile(config, `{\n  admin off\n}\n${example}\n`)
  const caddy = spawn(caddyPath!, ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(caddy, 'exit')
  cleanUp(t, () => caddy.kill('SIGTERM') && ended)
  let log = ''
  await new Promise<void>((resolve, reject) => {
    caddy.stderr.on('data', (bytes: Buffer) => (log += bytes).includes('serving initial configuration') && resolve())
    void ended.then(() => reject(new Error(`Caddy ended: ${log}`)))
  })
  return origin
}
