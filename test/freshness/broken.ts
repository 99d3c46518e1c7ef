// Runs the checker on a variant of the service, in a copy of the house.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Variant } from './variants.ts'

const run = promisify(execFile)
const house = ['src', 'sql', 'test', 'package.json', 'tsconfig.json']

/** What the checker found. */
export async function violationsOf({ edits }: Variant, url: string): Promise<string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'workgate-variant-'))
  try {
    for (const name of house) await cp(name, join(copy, name), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
    for (const { file, from, to } of edits) {
      const parts = (await readFile(join(copy, file), 'utf8')).split(from)
      if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times: ${from}`)
      await writeFile(join(copy, file), parts.join(to))
    }
    const args = ['--import', 'tsx', '--import', './test/support/register.mjs', 'test/freshness/violations.ts', url]
    const { stdout } = await run(process.execPath, args, { cwd: copy, maxBuffer: 1e8 })
    return JSON.parse(stdout) as string[]
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
