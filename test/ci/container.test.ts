// The image that test/ci/everywhere/make-image builds: its contents, and how it starts, stops and crashes as a
// container. Called by test/ci/everywhere/run, as root, with --program FOLDER/container-run. podman is in FOLDER too.

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'
import { run } from '../support/environment.ts'
import { freePort } from '../support/server.ts'
import { freshDatabase } from '../support/workgate.ts'
import { countProjects, finish, makeKey, start, type Running } from './in-a-folder.ts'

const program = join(dirname(run().program[0]!), 'podman')
const environment = { PATH: process.env['PATH']! }
const user = '10001'
const podman = async (...args: string[]) =>
  (await promisify(execFile)(program, args, { env: environment })).stdout.trim()
/** The compose file; with the PostgreSQL container if `edit` removes the signs. */
function readCompose(edit = (text: string) => text) {
  const script = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  const input = edit(readFileSync('src/commands/unit/compose.yaml', 'utf8'))
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', script], { input, encoding: 'utf8' }))
}
const inspect = async (image: string, what: string) =>
  JSON.parse(await podman('inspect', image, '-f', `{{json ${what}}}`))

test('the image has its labels, and adds one file, a user and a folder to its base', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const config = await inspect('localhost/workgate', '.Config')
  assert.deepEqual([config.User, config.Entrypoint, config.Cmd], [`${user}:${user}`, ['workgate'], undefined])
  assert.deepEqual([config.ExposedPorts, config.Volumes], [{ '8080/tcp': {} }, { '/data': {} }])
  assert.equal(config.Labels['org.opencontainers.image.version'], version)
  const git = await promisify(execFile)('git', ['rev-parse', '--short=12', 'HEAD'])
  const commit = config.Labels['org.opencontainers.image.revision']
  assert.equal(commit.replace('-dirty', ''), git.stdout.trim())
  assert.equal(await podman('run', '--rm', 'localhost/workgate', 'version'), `${version} (commit ${commit})`)
  const changes = (await podman('image', 'diff', 'localhost/workgate', 'localhost/base')).split('\n')
  const added = changes.filter((line) => line.startsWith('A ') && !line.startsWith('A /etc/'))
  assert.deepEqual(added.sort(), ['A /data', 'A /usr/local/bin/workgate'])
})

test('the image has the size that the guide states', async () => {
  const [image, base] = await Promise.all(
    ['localhost/workgate', 'localhost/base'].map((name): Promise<number> => inspect(name, '.Size')),
  )
  const [, stated] = /adds (\d+) MB/.exec(await readFile('src/docs/guides/container.md', 'utf8'))!
  const found = (image! - base!) / 1e6
  assert.ok(Math.abs(found - Number(stated)) < 5, `${found} MB`)
})

test('the compose file runs the image as these tests do, alone and with PostgreSQL', () => {
  const {
    build,
    image,
    ports,
    healthcheck: _,
    stop_grace_period,
    restart,
    ...options
  } = readCompose().services.workgate
  assert.deepEqual([build, image, ports], ['.', 'workgate', ['127.0.0.1:8080:8080']])
  assert.deepEqual([stop_grace_period, restart], ['30s', 'unless-stopped'])
  const fixed = { read_only: true, cap_drop: ['all'], security_opt: ['no-new-privileges:true'] }
  assert.deepEqual(options, { volumes: ['workgate:/data'], ...fixed })

  const { services, volumes, secrets } = readCompose((text) => text.replace(/^( *)#(?! \w)/gm, '$1'))
  const { environment, depends_on } = services.workgate
  assert.deepEqual(environment, { DATABASE_URL_FILE: '/run/secrets/database-url' })
  assert.deepEqual([Object.keys(services), Object.keys(depends_on)], [['workgate', 'postgres'], ['postgres']])
  assert.deepEqual([...services.workgate.secrets, ...services.postgres.secrets], Object.keys(secrets))
  const mounted = [...services.workgate.volumes, ...services.postgres.volumes].map((volume) => volume.split(':')[0])
  assert.deepEqual(mounted, Object.keys(volumes))
})

/** A container that can write only to its volume. */
async function container(t: TestContext, volume: string, options: string[] = []) {
  const port = await freePort()
  const name = `${volume}-${port}`
  const fixed = ['--rm', '--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges']
  const place = ['--name', name, '--volume', `${volume}:/data`, '--env', `PORT=${port}`]
  const running = start('/', [program, 'run', ...fixed, ...place, ...options, 'localhost/workgate'], environment)
  cleanUp(t, () => podman('rm', '--force', '--ignore', '--time', '0', name))
  const inside = (...words: string[]): Running => start('/', [program, 'exec', name, ...words], environment)
  return {
    ...running,
    port,
    workgate: (...args: string[]) => inside('workgate', ...args),
    kill: (signal: string) => podman('kill', '--signal', signal, name),
    stop: () => podman('stop', '--time', '30', name),
    isHealthy: () =>
      podman('healthcheck', 'run', name).then(
        () => true,
        () => false,
      ),
    /** Name, id, user and state of each process. */
    async processes() {
      const script = 'for one in /proc/[0-9]*; do cat $one/status; done'
      const all = (await finish(inside('sh', '-c', script))).split(/^Name:/m).slice(1)
      const field = (status: string, name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)![1]!
      return all.map((status) => ({
        name: status.trim().split(/\s/)[0]!,
        pid: field(status, 'Pid'),
        uid: field(status, 'Uid'),
        state: field(status, 'State'),
      }))
    },
    inside,
  }
}

async function volumeFor(t: TestContext, name: string): Promise<string> {
  const volume = `${name}-${process.pid}`
  await podman('volume', 'create', volume)
  cleanUp(t, () => podman('volume', 'rm', '--force', volume))
  return volume
}

describe('a container with a read-only root file system, no capabilities and a volume', { concurrency: 2 }, () => {
  test('serves with its own PostgreSQL, not as root, and the next container has its data', async (t) => {
    const volume = await volumeFor(t, 'lives')
    const first = await container(t, volume)
    assert.equal(await first.url(), `http://0.0.0.0:${first.port}`)
    await first.untilPrinted('workgate keys create first --all-projects')
    // With the network of the host, the name of the host is not the id of the container.
    assert.match(first.output(), /create one: podman exec (?:[0-9a-f]{12}|…) workgate keys create first --all-projects/)
    await finish(first.workgate('demo', '--projects', '3', '--tasks', '60'))
    const key = await makeKey(first.workgate('keys', 'create', 'first', '--all-projects'))
    assert.equal(await countProjects(`http://127.0.0.1:${first.port}`, key), 3)
    assert.match(await finish(first.workgate('doctor')), /ok +durability[^]*ok +tallies/)

    const processes = await first.processes()
    assert.ok(processes.length > 5)
    assert.deepEqual([...new Set(processes.map(({ uid }) => uid))], [user])
    assert.deepEqual(
      processes.filter(({ state }) => state === 'Z'),
      [],
    )
    assert.equal(await finish(first.inside('readlink', '/proc/1/exe')), '/usr/local/bin/workgate')

    await finish(first.inside(...readCompose().services.workgate.healthcheck.test.slice(1)))
    assert.equal(await first.isHealthy(), true)
    await first.kill('STOP')
    assert.equal(await first.isHealthy(), false)
    await first.kill('CONT')
    assert.equal(await first.isHealthy(), true)

    await first.kill('TERM')
    assert.equal(await first.ended, 0)
    assert.match(first.output(), /"message":"stopping"[^]*"message":"stopped"/)
    const second = await container(t, volume)
    const url = await second.url()
    assert.doesNotMatch(second.output(), /unpacking|was not properly shut down/)
    assert.equal(await countProjects(url, key), 3)
    await second.stop()
    assert.equal(await second.ended, 0)
  })

  test('recovers after its PostgreSQL is killed, and a new container recovers after this one is killed', async (t) => {
    const volume = await volumeFor(t, 'dies')
    const first = await container(t, volume)
    await first.url()
    const key = await makeKey(first.workgate('keys', 'create', 'first', '--all-projects'))
    const ask = () => countProjects(`http://127.0.0.1:${first.port}`, key)
    assert.equal(await ask(), 0)
    const postgres = (await first.processes()).filter(({ name }) => name === 'postgres')
    const postmaster = Math.min(...postgres.map(({ pid }) => Number(pid)))
    await finish(first.inside('sh', '-c', `kill -KILL ${postmaster}`))
    await first.untilPrinted('PostgreSQL restarted')
    await until('it responds again', () =>
      ask().then(
        (count) => count === 0,
        () => false,
      ),
    )
    assert.equal(await first.isHealthy(), true)
    await first.kill('KILL')
    assert.equal(await first.ended, 137)
    const second = await container(t, volume)
    assert.equal(await countProjects(await second.url(), key), 0)
    await second.kill('INT')
    assert.equal(await second.ended, 0)
  })

  test('runs as any user with a PostgreSQL server, and needs no writable folder', async (t) => {
    const { url, drop } = await freshDatabase()
    cleanUp(t, drop)
    const volume = await volumeFor(t, 'served')
    const served = await container(t, volume, ['--user', '12345', '--env', `DATABASE_URL=${url}`])
    await served.url()
    const key = await makeKey(served.workgate('keys', 'create', 'first', '--all-projects'))
    assert.equal(await countProjects(`http://127.0.0.1:${served.port}`, key), 0)
    assert.equal((await served.processes()).find(({ pid }) => pid === '1')!.uid, '12345')
    await served.kill('TERM')
    assert.equal(await served.ended, 0)
    const next = await container(t, volume)
    await next.url()
    assert.match(next.output(), /unpacking PostgreSQL/)
  })
})
