// Applies a variant, which breaks the service, and runs the checker against it.

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, type Sql } from '../support/workgate.ts'
import { checkIn } from './child.ts'
import type { Edit, Variant } from './variants.ts'

const copiedPaths = ['src', 'sql', 'test', 'package.json', 'tsconfig.json']

/** Returns the violations that the checker finds in the variant. */
export async function violationsOf(variant: Variant): Promise<string[]> {
  const { url, sql, drop } = await freshDatabase()
  try {
    await breakDatabase(sql, variant)
    if (variant.files.length === 0) return (await checkIn('.', url, variant.load)).violations
    return await inCopy(variant.files, async (folder) => (await checkIn(folder, url, variant.load)).violations)
  } finally {
    await drop()
  }
}

async function breakDatabase(sql: Sql, { functions, triggers }: Variant) {
  for (const { table, name } of triggers) await sql`drop trigger ${sql(name)} on ${sql(`workgate.${table}`)}`
  for (const edit of functions) {
    const [row] = await sql`select pg_get_functiondef(${`workgate.${edit.in}`}::regproc) as text`
    await sql.unsafe(replaceIn(row!['text'], edit))
  }
}

async function inCopy<T>(edits: Edit[], work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-variant-'))
  try {
    for (const name of copiedPaths) await cp(name, join(folder, name), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    for (const edit of edits) {
      const file = join(folder, edit.in)
      await writeFile(file, replaceIn(await readFile(file, 'utf8'), edit))
    }
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function replaceIn(text: string, edit: Edit): string {
  const parts = text.split(edit.from)
  if (parts.length !== 2) throw new Error(`${edit.in}: ${parts.length - 1} occurrences instead of one: ${edit.from}`)
  return parts.join(edit.to)
}
