// A small disk that can be filled to the last byte.

import { execFileSync } from 'node:child_process'
import { chownSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { cleanUp } from '../../faults/fixtures/embedded.ts'

/** Only root can mount a disk. .ci/run mostly runs as root, and its output says so if it does not. */
export const cannotMount = process.getuid!() !== 0 && 'SKIPPED: only root can mount a disk to fill'

export type Disk = ReturnType<typeof mountDisk>

export function mountDisk(t: TestContext, megabytes: number, over?: string) {
  const path = over ?? mkdtempSync(join(tmpdir(), 'workgate-disk-'))
  const { uid, gid } = statSync(path)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', path])
  chownSync(path, uid, gid)
  cleanUp(t, () => {
    execFileSync('umount', ['-l', path])
    if (!over) rmdirSync(path)
  })
  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      const file = openSync(ballast, 'w')
      const zeros = Buffer.alloc(4_096)
      try {
        for (;;) writeSync(file, zeros)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    makeRoom: () => rmSync(ballast),
    grow: (size: number) => void execFileSync('mount', ['-o', `remount,size=${size}m`, path]),
  }
}
