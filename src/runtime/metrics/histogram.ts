// Counts durations into buckets, for a Prometheus histogram.

import { series, type Labels } from './metrics.ts'

export type Histogram = ReturnType<typeof createHistogram>

export function createHistogram(bounds: readonly number[]) {
  const counts = bounds.map(() => 0)
  let count = 0
  let sum = 0
  return {
    observe(seconds: number) {
      count++
      sum += seconds
      // From the lowest bucket up, since most durations are short.
      for (let index = 0; index < bounds.length; index++) {
        if (seconds > bounds[index]!) continue
        counts[index]!++
        return
      }
    },
    samples(name: string, labels: Labels = {}): [series: string, value: number][] {
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
