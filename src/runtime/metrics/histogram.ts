// How long things took: how many took at most so long, for each of some bounds.

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
      // Most are short.
      for (let place = 0; place < bounds.length; place++) {
        if (seconds > bounds[place]!) continue
        counts[place]!++
        return
      }
    },
    samples(name, labels = {}) {
      let below = 0
      const bucket = (le: number | string, value: number): [string, number] => [
        series(`${name}_bucket`, { ...labels, le }),
        value,
      ]
      return [
        ...bounds.map((bound, place) => bucket(bound, (below += counts[place]!))),
        bucket('+Inf', count),
        [series(`${name}_sum`, labels), sum],
        [series(`${name}_count`, labels), count],
      ]
    },
  }
}
