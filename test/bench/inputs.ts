// Measures the processor time of the service for each input of the largest permitted size.

import { insertLargest, largestInputs } from '../support/largest-inputs.ts'
import { measureBaseline, startMeasured } from '../support/loop-cost.ts'
import type { Part } from './part.ts'
import { median } from './race.ts'
import { atMost, milliseconds, printTable } from './table.ts'

const targetMs = 5
const roundsPerSecond = 3
const idOf = (n: number) => `00000000-0000-7000-8009-${String(n).padStart(12, '0')}`

export const benchInputs: Part = async ({ sql, url, headers, rounds }) => {
  const [project, large, planned, task, largeTask] = [1, 2, 3, 4, 5].map(idOf) as [string, string, string, string, string] // prettier-ignore
  await sql`
    insert into workgate.projects (id, key, name)
    select id, 'INPUT' || n, 'Input' from unnest(${[project, large, planned]}::uuid[]) with ordinality as p (id, n)`
  await sql`insert into workgate.tasks (id, project_id, title) values (${task}, ${project}, 'Small')`
  await insertLargest(sql, { large, largeTask, planned })
  const place = { key: headers['authorization']!.replace('Bearer ', ''), project, task, large, largeTask, planned }
  const service = await startMeasured({ DATABASE_URL: url }, () => {})
  try {
    const measured = new Map<string, number[]>()
    const baselines: number[] = []
    for (let round = 0; round < rounds * roundsPerSecond; round++) {
      baselines.push(measureBaseline())
      for (const { name, request } of largestInputs) {
        const { milliseconds } = await service.measure(request(place))
        measured.set(name, [...(measured.get(name) ?? []), milliseconds])
      }
    }
    const lines = [...measured]
      .map(([name, costs]) => ({ name, first: costs[0]!, least: Math.min(...costs), median: median(costs) }))
      .sort((a, b) => b.median - a.median)
      .map(({ name, first, least, median }) => {
        const times = [first, least, median].map((ms) => milliseconds(ms / 1_000))
        return [name, ...times, atMost(`${targetMs} ms`, least <= targetMs)]
      })
    const speed = `JSON.parse of 256 KiB of ordinary JSON takes ${milliseconds(median(baselines) / 1_000)}`
    printTable(`Processor time for inputs of the largest size; ${speed}`, [
      ['', 'first', 'least', 'median', ''],
      ...lines,
    ])
  } finally {
    await service.close()
  }
}
