// Runs the checker on a variant of the service, in a copy of the house.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkIn } from './child.ts'
import type { Variant } from './variants.ts'

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
    return (await checkIn(copy, url, 'short')).violations
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
