// Reports the process metrics that Prometheus client libraries export, under their usual names.

import { readdir, readFile } from 'node:fs/promises'
import { version } from '../program.ts'
import { catalogHistogram, catalogMetric } from './catalog.ts'
import { createHistogram } from './histogram.ts'
import type { Metric } from './metrics.ts'

/** Returns undefined on systems without /proc. */
export async function openFileLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, max] = /^Max open files\s+(\S+)/m.exec(limits) ?? []
  return max === undefined ? undefined : max === 'unlimited' ? Infinity : Number(max)
}

export async function processMetrics(): Promise<Metric[]> {
  const { user, system } = process.cpuUsage()
  const files = await readdir('/proc/self/fd').catch(() => undefined)
  const maxFiles = await openFileLimit()
  return [
    catalogMetric('process_resident_memory_bytes', process.memoryUsage.rss()),
    catalogMetric('process_cpu_seconds_total', (user + system) / 1e6),
    catalogMetric('process_start_time_seconds', performance.timeOrigin / 1000),
    ...(files ? [catalogMetric('process_open_fds', files.length)] : []),
    ...(maxFiles !== undefined ? [catalogMetric('process_max_fds', maxFiles)] : []),
    catalogMetric('nodejs_version_info', [[{ version: process.version }, 1]]),
    catalogMetric('workgate_build_info', [[{ version }, 1]]),
  ]
}

const intervalMs = 100
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/**
 * Measures how late a repeated timer fires. A histogram can be summed over processes and includes every delay between
 * two scrapes.
 */
export function watchEventLoop(): { metrics(): Metric[]; close(): void } {
  const delays = createHistogram(bounds)
  let expected = performance.now() + intervalMs
  const timer = setInterval(() => {
    const now = performance.now()
    delays.observe(Math.max(0, now - expected) / 1_000)
    expected = now + intervalMs
  }, intervalMs)
  timer.unref()
  return {
    metrics: () => [catalogHistogram('workgate_event_loop_delay_seconds', (name) => delays.samples(name))],
    close: () => clearInterval(timer),
  }
}
