// Runs a program in a folder of its own, with an empty environment: no PATH, so no Node. Its output is searched for
// keys at the end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { api } from '../support/workgate.ts'
import { recordOutput, recordSecret } from '../support/log.ts'
import { until } from '../faults/fixtures/embedded.ts'

export type Running = ReturnType<typeof start>

export function start(folder: string, command: readonly string[], environment: Record<string, string> = {}) {
  const [program, ...args] = command as [string, ...string[]]
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes))
  const ended = once(child, 'close').then(([code, signal]) => {
    recordOutput(args.includes('keys') ? '' : output)
    return (code ?? signal) as number | string
  })
  const untilPrinted = (words: string) =>
    until(`it prints "${words}"`, () => {
      if (child.exitCode !== null) throw new Error(`it exited with ${child.exitCode}: ${output}`)
      return output.includes(words)
    })
  return {
    child,
    output: () => output,
    untilPrinted,
    ended,
    /** Its URL, once it listens. */
    async url() {
      await untilPrinted('"message":"listening"')
      return /"message":"listening","url":"([^"]+)"/.exec(output)![1]!
    },
  }
}

/** Waits until it succeeds. Returns its output. */
export async function finish(running: Running): Promise<string> {
  const code = await running.ended
  if (code !== 0) throw new Error(`it exited with ${code}: ${running.output()}`)
  return running.output().trim()
}

export async function makeKey(running: Running): Promise<string> {
  const key = await finish(running)
  recordSecret(key)
  return key
}

/** The number of projects on the first page, which is more than zero after `demo`. */
export async function countProjects(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}${api}/projects`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await response.json()) as { data: unknown[] }
  return data.length
}
