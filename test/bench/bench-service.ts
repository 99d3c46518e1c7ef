// Runs the built artifact as an operator does, to measure it.

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
export async function startService(folder: string, settings: Record<string, string>): Promise<Service> {
  const port = await freePort()
  const defaults = { PATH: process.env['PATH'], PORT: `${port}`, RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' }
  const output = join(folder, `service-${port}.log`)
  const file = openSync(output, 'w')
  const started = performance.now()
  const child = spawn(process.execPath, ['dist/workgate.mjs', 'serve'], {
    env: { ...defaults, ...settings },
    stdio: ['ignore', file, file],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the service exited: ${readFileSync(output, 'utf8')}`)
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
