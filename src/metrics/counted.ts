// What is counted, under its names.

import type { Freshness } from '../freshness/freshness.ts'
import type { KeptAnswers } from '../freshness/kept-answers.ts'
import type { Metric } from './metrics.ts'

// prettier-ignore
export function countedMetrics(answers: KeptAnswers['counts'], freshness: Freshness['counts']): Metric[] {
  return [
    counter('cache_hits', 'Reads that were answered from memory.', answers.hits),
    counter('cache_shared', 'Reads that were answered with what another one was waiting for.', answers.shared),
    counter('cache_misses', 'Reads that ran a statement of their own.', answers.misses),
    counter('cache_evictions', 'Kept answers that made room for others.', answers.evictions),
    gauge('cache_bytes', 'Memory that kept answers take.', answers.bytes),
    gauge('cache_entries', 'Kept answers.', answers.entries),
    counter('freshness_checks', 'Requests for which the database was asked what holds.', freshness.checks),
    counter('freshness_batches', 'Statements in which it was asked.', freshness.statements),
  ]
}

const counter = (name: string, help: string, value: number): Metric => ({
  name: `workgate_${name}_total`,
  help,
  type: 'counter',
  value,
})

const gauge = (name: string, help: string, value: number): Metric => ({
  name: `workgate_${name}`,
  help,
  type: 'gauge',
  value,
})
