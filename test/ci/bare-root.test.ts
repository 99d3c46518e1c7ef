// The single executable on a bare root file system: debootstrap's minimal base in WORKGATE_BARE_ROOT, nothing added.
// Called by .ci/run, as root, with --program dist/workgate.

import assert from 'node:assert/strict'
import { access, copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { run } from '../support/environment.ts'
import { countProjects, finish, makeKey, start } from './in-a-folder.ts'

// /proc is mounted, as in any container. It is unmounted when the process that it was mounted for ends.
const enter =
  'mount -t proc proc "$0/proc" && exec /usr/sbin/chroot "$0" /usr/bin/env -i -C /srv PORT=0 ./workgate "$@"'

test('the executable serves, saves and restores with its own PostgreSQL on a bare root file system', async (t) => {
  const root = process.env['WORKGATE_BARE_ROOT']!
  for (const path of ['usr/bin/node', 'usr/lib/x86_64-linux-gnu/libatomic.so.1']) {
    await assert.rejects(access(join(root, path)), { code: 'ENOENT' })
  }
  cleanUp(t, () => rm(join(root, 'srv'), { recursive: true }))
  await mkdir(join(root, 'srv'), { recursive: true })
  await copyFile(run().program[0]!, join(root, 'srv', 'workgate'))
  const command = (...args: string[]) => {
    const running = start('/', ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', enter, root, ...args])
    cleanUp(t, () => void running.child.kill('SIGKILL'))
    return running
  }

  const service = command('serve')
  const url = await service.url()
  await finish(command('demo', '--projects', '2', '--tasks', '20'))
  const key = await makeKey(command('keys', 'create', 'first', '--all-projects'))
  assert.equal(await countProjects(url, key), 2)
  assert.match(await finish(command('doctor')), /^ok +version +PostgreSQL 18/m)
  assert.match(await finish(command('sql', '-c', 'select name from workgate.api_keys')), /^first$/m)
  assert.match(await finish(command('backup', 'workgate.backup')), /^Saved 2 projects, 20 tasks, /m)
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)

  await rm(join(root, 'srv', 'workgate-data'), { recursive: true })
  assert.match(await finish(command('restore', 'workgate.backup')), /^Restored 2 projects, 20 tasks, /m)
  const restored = command('serve')
  assert.equal(await countProjects(await restored.url(), key), 2)
  restored.child.kill('SIGTERM')
  assert.equal(await restored.ended, 0)
})
