// Counts durations into buckets, for a Prometheus histogram.

import { series, type Labels, type Metric } from './metrics.ts'

export interface Histogram {
  observe(seconds: number): void
  samples(name: string, labels?: Labels): Metric['samples']
}

export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0)
  let count = 0
  let sum = 0
  return {
    observe(seconds) {
      count++
      sum += seconds
      // From the lowest bucket up, since most durations are short.
      for (let index = 0; index < bounds.length; index++) {
        if (seconds > bounds[index]!) continue
        counts[index]!++
        return
      }
    },
    samples(name, labels = {}) {
      let cumulative = 0
      const bucket = (le: number | string, value: number): [string, number] => [
        series(`${name}_bucket`, { ...labels, le }),
        value,
      ]
      return [
        ...bounds.map((bound, index) => bucket(bound, (cumulative += counts[index]!))),
        bucket('+Inf', count),
        [series(`${name}_sum`, labels), sum],
        [series(`${name}_count`, labels), count],
      ]
    },
  }
}
