// What the service counts, as Prometheus reads it. Numbers only: no key, no path and no data.

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  value: number
}

export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, value }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join('')
}

/** Of several processes. Each counts the same things in the same order. */
export function sumOf(ofEach: readonly (readonly Metric[])[]): Metric[] {
  const [first = [], ...others] = ofEach.filter((metrics) => metrics.length > 0)
  return first.map((metric, place) => ({
    ...metric,
    value: others.reduce((sum, metrics) => sum + metrics[place]!.value, metric.value),
  }))
}
