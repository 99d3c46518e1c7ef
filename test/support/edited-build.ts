// Runs a program of the tests in its own process, built with edits of the service. A process of its own is without the
// overhead of node:test, which tracks all asynchronous work.

import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { run } from './environment.ts'

const execute = promisify(execFile)
// Not bundled, because it finds its files by its own path.
const { shared } = (await import(resolve('src/build/shared.mjs'))) as typeof import('../../src/build/shared.mjs')

/** An edit in a file of the service or in a database function. The text must occur there exactly once. */
export interface Edit {
  in: string
  from: string
  to: string
}

/** Returns the JSON that the program prints. */
export async function runEdited<Report>(program: string, edits: readonly Edit[], ...args: string[]): Promise<Report> {
  const outfile = join(run().built, `check-${crypto.randomUUID()}.mjs`)
  await build({
    ...shared,
    plugins: [editing(edits), ...shared.plugins!],
    entryPoints: [program],
    outfile,
    packages: 'external',
    logLevel: 'error',
  })
  try {
    const { stdout } = await execute(process.execPath, [outfile, ...args], { maxBuffer: 10_000_000 })
    return JSON.parse(stdout) as Report
  } finally {
    await rm(outfile)
  }
}

function editing(edits: readonly Edit[]): Plugin {
  const unused = new Set(edits.map((edit) => resolve(edit.in)))
  return {
    name: 'edits',
    setup(build) {
      build.onLoad({ filter: /\.(ts|sql)$/ }, async ({ path }) => {
        if (!unused.delete(path)) return undefined
        const own = edits.filter((edit) => resolve(edit.in) === path)
        return {
          contents: own.reduce(replaceIn, await readFile(path, 'utf8')),
          loader: path.endsWith('.ts') ? 'ts' : 'text',
        }
      })
      build.onEnd(() => {
        if (unused.size > 0) throw new Error(`not part of the service: ${[...unused].join()}`)
      })
    },
  }
}

export function replaceIn(text: string, edit: Edit): string {
  const parts = text.split(edit.from)
  if (parts.length !== 2) throw new Error(`${edit.in}: ${parts.length - 1} occurrences instead of one: ${edit.from}`)
  return parts.join(edit.to)
}
