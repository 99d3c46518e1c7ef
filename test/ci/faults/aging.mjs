// Loaded before the artifact in its process. Speeds up slow timers so that a day takes minutes, and records memory and
// resources every second.

import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const faster = 100
const rare = 10_000

const { setInterval } = globalThis
globalThis.setInterval = (work, ms, ...more) => setInterval(work, ms >= rare ? ms / faster : ms, ...more)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const report = process.env.AGING_REPORT

setInterval(() => {
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo().length
  appendFileSync(report, JSON.stringify({ heap: heapUsed + external, rss, resources }) + '\n')
}, 1_000).unref()
