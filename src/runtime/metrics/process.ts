// Reports the process metrics that Prometheus client libraries export, under their usual names.

import { readdir, readFile } from 'node:fs/promises'
import { createHistogram } from './histogram.ts'
import { labeledMetric, simpleMetric, type Metric } from './metrics.ts'

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
  // prettier-ignore
  return [
    simpleMetric('gauge', 'process_resident_memory_bytes', 'Resident memory in bytes.', process.memoryUsage.rss()),
    simpleMetric('counter', 'process_cpu_seconds_total', 'User and system CPU time in seconds.', (user + system) / 1e6),
    { ...simpleMetric('gauge', 'process_start_time_seconds', 'Start time of the process, as Unix time in seconds.', performance.timeOrigin / 1000), mergeBy: 'min' },
    ...(files ? [simpleMetric('gauge', 'process_open_fds', 'Open file descriptors.', files.length)] : []),
    ...(maxFiles !== undefined ? [simpleMetric('gauge', 'process_max_fds', 'Maximum number of open file descriptors.', maxFiles)] : []),
    { ...labeledMetric('gauge', 'nodejs_version_info', 'Version of Node.', [[{ version: process.version }, 1]]), mergeBy: 'min' },
  ]
}

const intervalMs = 100
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const name = 'workgate_event_loop_delay_seconds'

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
    metrics: () => [
      {
        type: 'histogram',
        name,
        help: 'Delay of a timer that fires ten times a second.',
        samples: delays.samples(name),
      },
    ],
    close: () => clearInterval(timer),
  }
}
