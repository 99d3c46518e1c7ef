// Compares the times of requests during an attack with those of the same requests without it, in the same run.

import assert from 'node:assert/strict'

/** Loose, because other work of the machine may delay either. Without the limits, requests waited for seconds. */
const maxFactor = 100

export function percentile(times: readonly number[], percent: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length * percent) / 100)]!
}

/** Returns how many times as long the requests take, as figures. */
export function describeDelay(attacked: readonly number[], alone: readonly number[]): Record<string, string> {
  const factor = (percent: number) => (percentile(attacked, percent) / percentile(alone, percent)).toFixed(1)
  return {
    'their p50': `${factor(50)} times as long`,
    'their p99': `${factor(99)} times as long`,
    'the slowest in ms': `${Math.round(Math.max(...attacked))}`,
  }
}

export function assertBounded(attacked: readonly number[], alone: readonly number[]): void {
  const [during, without] = [percentile(attacked, 99), percentile(alone, 99)]
  assert.ok(during <= maxFactor * without, `the p99 is ${during} ms, and ${without} ms without the attack`)
}
