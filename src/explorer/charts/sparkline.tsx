// A small line without axes. Its last point is marked.

const width = 96
const height = 24
const margin = 3

export function Sparkline({ values }: { values: number[] }) {
  const highest = Math.max(1, ...values)
  const x = (n: number) => margin + (n * (width - 2 * margin)) / Math.max(1, values.length - 1)
  const y = (value: number) => height - margin - (value * (height - 2 * margin)) / highest
  const points = values.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`)
  const last = values.length - 1
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={values.join(', ')}
    >
      <polyline points={points.join(' ')} />
      <circle cx={x(last)} cy={y(values[last]!)} r="2" />
    </svg>
  )
}
