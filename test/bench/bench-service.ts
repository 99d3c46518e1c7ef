// Runs the built artifact as an operator does, and the servers it is compared with, to measure them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/server.ts'
import type { Target } from './bench-load.ts'

export interface Service extends Target {
  /** From the start of the process to its first response. */
  startSeconds: number
  stop(): Promise<void>
}

/** Rate limit and request log are off unless the settings enable them. Output goes to a file in the folder. */
export function startService(folder: string, settings: Record<string, string>): Promise<Service> {
  return startProgram([process.execPath, 'dist/workgate.mjs', 'serve'], '/readyz', folder, (port) => ({
    env: { PORT: `${port}`, RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn', ...settings },
  }))
}

interface Launch {
  args?: string[]
  env?: Record<string, string>
  cwd?: string
}

/** Starts a server on a free loopback port, and waits until it responds to a path. Output goes to a file in the folder. */
export async function startProgram(
  [program, ...args]: [string, ...string[]],
  readyPath: string,
  folder: string,
  launch: (port: number) => Launch,
): Promise<Service> {
  const port = await freePort()
  const output = join(folder, `service-${port}.log`)
  const file = openSync(output, 'w')
  const { args: more = [], env, ...options } = launch(port)
  const started = performance.now()
  const child = spawn(program, [...args, ...more], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', file, file],
    ...options,
  })
  // Rejects if the program cannot be run.
  await once(child, 'spawn')
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url + readyPath).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${program} exited: ${readFileSync(output, 'utf8')}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return {
    url,
    pid: child.pid!,
    startSeconds: (performance.now() - started) / 1000,
    async stop() {
      if (child.kill('SIGTERM')) await once(child, 'exit')
    },
  }
}
