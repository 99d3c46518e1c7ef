// Opens an instance of the service. It is called as a function: the checker looks for faults between service and
// database, and a socket would take more time than both.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SentResponse } from '../../src/api/responses/response.ts'
import { recordOutput } from '../support/log.ts'
import { api, asService, openInProcess, askApp } from '../support/workgate.ts'
import { someProjectIds } from './ids.ts'

export interface Instance {
  /** The requests that were answered with 503: their lines of the log. */
  unavailable: readonly string[]
  /** The value of a metric without labels. */
  metric(name: string): number
  /** The number of reads that each server ran; empty without replicas. */
  servedBy(): number[]
  ask(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object): Promise<SentResponse>
  close(): Promise<void>
}

const waitMs = 20

/** On a busy machine, a few requests wait in vain for a lock or a connection. */
const mayBeUnavailable = 0.005

/** The lines are those of Instance.unavailable. */
export function assertAvailable(lines: readonly string[], requests: number): void {
  const first = lines.slice(0, 10).join('')
  const text = `${lines.length} of ${requests} requests were answered with 503:\n${first}`
  assert.ok(lines.length <= mayBeUnavailable * requests, text)
  if (lines.length > 0) console.log(text)
}

/** Repeats what the service could not do at the moment, as its clients do. */
export const patient = (instance: Instance): Instance => ({
  ...instance,
  async ask(...request) {
    for (;;) {
      const response = await instance.ask(...request)
      if (response.status !== 503) return response
      await sleep(waitMs)
    }
  },
})

/** Keys from API_KEYS, which are in no database. */
export const environmentKeys = {
  all: 'the-key-of-the-environment-is-long-enough',
  some: 'the-key-of-the-environment-for-some-projects',
}

export function openInstance(url: string, replicas = ''): Instance {
  const unavailable: string[] = []
  const linesOf503: string[] = []
  const { app, metrics, close } = openInProcess(
    {
      ...asService(url),
      DATABASE_POOL: '6',
      DATABASE_REPLICAS: replicas,
      RATE_LIMIT_PER_MINUTE: '0',
      API_KEYS: JSON.stringify([
        { name: 'environment', key: environmentKeys.all, scopeMode: 'all_projects' },
        { name: 'environment-some', key: environmentKeys.some, projects: someProjectIds },
      ]),
    },
    (line) => {
      recordOutput(line)
      if (line.includes('"status":503')) linesOf503.push(line)
    },
  )
  let requests = 0
  return {
    unavailable,
    close,
    metric: (name) => metrics().find((metric) => metric.name === name)!.samples[0]![1],
    servedBy: () =>
      metrics()
        .find(({ name }) => name === 'workgate_reads_total')
        ?.samples.map(([, count]) => count) ?? [],
    async ask(method, path, headers, body) {
      const bytes = body && Buffer.from(JSON.stringify(body))
      const response = await askApp(app, {
        method,
        target: api + path,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        // Failed authentication is limited by address, and some keys here are revoked or expired on purpose.
        address: `10.0.${requests >> 8}.${(requests = (requests + 1) & 0xffff) & 0xff}`,
        hasBody: bytes !== undefined,
        readBody: async () => bytes ?? new Uint8Array(),
        isDisconnected: () => false,
        onDisconnect: () => {},
      })
      if (response.status === 503) {
        const logged = linesOf503.find((line) => line.includes(response.headers['x-request-id']!))
        // The log omits requests without a verified key if there are many.
        unavailable.push(logged ?? `${method} ${path} (not in the log)\n`)
      }
      return response
    },
  }
}
