// Runs "workgate import" as a function, on the database of a test file.

import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after } from 'node:test'
import type { CommandContext } from '../../src/commands/command-context.ts'
import { importFile } from '../../src/commands/import/import.ts'
import { readConfig } from '../../src/config/config.ts'
import { commandContext } from '../support/doctor.ts'

export interface Imported {
  output: string
  /** The message of the error that the command ended with. */
  error: string | undefined
  /** The rows of the table: how many tasks were created, and so on. */
  counts: Record<string, Record<string, number>>
}

/** `ask` answers questions as somebody at a terminal does. */
export async function createImporter(url: string, ask?: CommandContext['ask']) {
  const folder = await mkdtemp(join(tmpdir(), 'workgate-import-'))
  after(() => rm(folder, { recursive: true }))

  const importPath = (path: string, ...args: string[]) => run([path, ...args])

  async function run(args: string[], input: Readable = Readable.from([])): Promise<Imported> {
    const printed: string[] = []
    const error = await importFile({
      ...commandContext(readConfig({ DATABASE_URL: url }, () => '')),
      ask,
      args,
      input,
      print: (text) => void printed.push(text),
    }).then(() => undefined, (error: Error) => error.message) // prettier-ignore
    const output = printed.join('\n')
    return { output, error, counts: countsIn(output) }
  }

  return {
    importPath,
    /** As standard input, in pieces. */
    importInput: (pieces: Iterable<Uint8Array>, ...args: string[]) =>
      run(['-', ...args], Readable.from(pieces, { objectMode: true })),
    /** Writes the file first. */
    async importText(name: string, text: string | Uint8Array, ...args: string[]) {
      const path = join(folder, name)
      await writeFile(path, text)
      return importPath(path, ...args)
    },
  }
}

function countsIn(output: string): Imported['counts'] {
  const lines = output.split('\n')
  const at = lines.findIndex((line) => /^ {10,}(created|updated|unchanged|deleted)/.test(line))
  if (at < 0) return {}
  const outcomes = lines[at]!.trim().split(/\s+/)
  const rows = lines.slice(at + 1, lines.indexOf('', at))
  return Object.fromEntries(
    rows.map((line) => {
      const [, kind, rest] = /^(.+?)\s{2,}(.*)$/.exec(line)!
      const counts = rest!.split(/\s+/).map((text, n) => [outcomes[n]!, Number(text.replaceAll(',', ''))] as const)
      return [kind!, Object.fromEntries(counts.filter(([, count]) => count > 0))]
    }),
  )
}
