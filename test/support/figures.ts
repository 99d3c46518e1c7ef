// Prints the figures of a fault test in one line. .ci/run collects these lines at its end.

export function printFigures(fault: string, figures: Record<string, string | number>): void {
  const rounded = (value: string | number) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value)
  const parts = Object.entries(figures).map(([name, value]) => `${name}: ${rounded(value)}`)
  console.log(`fault: ${fault}: ${parts.join(', ')}`)
}
