// Prints the figures of a fault test in one line. .ci/run collects these lines at its end. Those of attacks are also in
// the guide to faults: FIGURES=write stores them, and npm run refresh then updates the guide.

import { readFileSync, writeFileSync } from 'node:fs'

type Figures = Record<string, string | number>

export interface Attack {
  behavior: string
  figures: Record<string, string>
}

const file = 'test/ci/faults/attacks.json'

export const readAttacks = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Attack>

export function printFigures(fault: string, figures: Figures): void {
  const parts = Object.entries(format(figures)).map(([name, value]) => `${name}: ${value}`)
  console.log(`fault: ${fault}: ${parts.join(', ')}`)
}

export function recordAttack(attack: string, behavior: string, figures: Figures): void {
  printFigures(attack, figures)
  if (process.env['FIGURES'] !== 'write') return
  const all = { ...readAttacks(), [attack]: { behavior, figures: format(figures) } }
  writeFileSync(file, JSON.stringify(all, undefined, 2) + '\n')
}

function format(figures: Figures): Record<string, string> {
  const round = (value: string | number) =>
    typeof value === 'number' ? (Math.round(value * 10) / 10).toLocaleString('en-US') : value
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value)]))
}
