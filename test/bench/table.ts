// The figures for people: what was measured, the figures, and what they are of others.

/** What, figures, and a remark. */
export type Line = readonly string[]

/** In columns: the first and the last of a line to the left, what is between to the right. */
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

/** The targets of the architecture: at least, or at most. */
export function atLeast(target: number, value: number): string {
  return `(target ${target.toFixed(2)}: ${value >= target ? 'met' : 'missed'})`
}

export function limitConcurrency(target: string, met: boolean): string {
  return `(target ${target}: ${met ? 'met' : 'missed'})`
}
