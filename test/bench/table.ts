// Formats and prints the figures.

import type { Figures } from './race.ts'

/** A label, figures and a remark. */
export type Line = readonly string[]

/** Prints columns. The first and the last are left-aligned, those between them right-aligned. */
export function printTable(title: string, lines: readonly Line[]): void {
  const columns = Math.max(...lines.map((line) => line.length))
  const widths = Array.from({ length: columns }, (_, n) => Math.max(...lines.map((line) => (line[n] ?? '').length)))
  console.log(`\n${title}`)
  for (const line of lines) {
    const cells = line.map((cell, n) =>
      n > 0 && n < columns - 1 ? cell.padStart(widths[n]!) : cell.padEnd(widths[n]!),
    )
    console.log(`  ${cells.join('  ')}`.trimEnd())
  }
}

export const perSecond = (rate: number) => `${Math.round(rate)}/s`
export const milliseconds = (seconds: number | undefined) =>
  seconds === undefined ? '' : `${(seconds * 1000).toFixed(1)} ms`
export const microseconds = (seconds: number | undefined) =>
  seconds === undefined ? '' : `${Math.round(seconds * 1e6)} µs`

/** Rate, waiting time, and the CPU time of the service and of PostgreSQL. */
export const processorLine = (what: string, { rate, p50, processor, database }: Figures, remark = ''): Line => [
  what,
  perSecond(rate),
  milliseconds(p50),
  microseconds(processor),
  microseconds(database),
  remark,
]

/** Remarks whether a target of the architecture is met: a minimum here, a maximum below. */
export function atLeast(target: number, value: number): string {
  return `(target ${target.toFixed(2)}: ${value >= target ? 'met' : 'missed'})`
}

export function atMost(target: string, met: boolean): string {
  return `(target ${target}: ${met ? 'met' : 'missed'})`
}
