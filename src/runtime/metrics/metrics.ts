// What the service counts, as Prometheus reads it. No key, no path as it was sent, and no data.
//
// A module of our own: the usual client library (prom-client 15) takes 0.8 µs for each request where this takes 0.03, brings 4.6 MB,
// and knows nothing of workers that are not asked by itself.

export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** How those of several processes become one; their sum unless said otherwise. */
  together?: 'least'
  /** Each with its name and labels in front, as it is printed. */
  samples: [series: string, value: number][]
}

export type Labels = Readonly<Record<string, string | number>>

export function series(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeValue(String(value))}"`)
  return pairs.length > 0 ? `${name}{${pairs.join(',')}}` : name
}

/** The whole in one number. */
export function single(type: Metric['type'], name: string, help: string, value: number): Metric {
  return { name, help, type, samples: [[name, value]] }
}

/** One number for each of the values of a label. */
export function each(
  type: Metric['type'],
  name: string,
  help: string,
  values: readonly (readonly [Labels, number])[],
): Metric {
  return { name, help, type, samples: values.map(([labels, value]) => [series(name, labels), value]) }
}

export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join('')
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples.map(([series, value]) => `${series} ${value}\n`)
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

/** Of several processes. What one of them does not have is what the others have. */
export function together(ofEach: readonly (readonly Metric[])[]): Metric[] {
  const all = new Map<string, Metric>()
  for (const metric of ofEach.flat()) {
    const before = all.get(metric.name)
    all.set(metric.name, before ? { ...before, samples: merged(before, metric) } : metric)
  }
  return [...all.values()]
}

function merged(one: Metric, other: Metric): Metric['samples'] {
  const values = new Map(one.samples)
  for (const [series, value] of other.samples) {
    const before = values.get(series)
    const sum = one.together === 'least' ? Math.min(before ?? value, value) : (before ?? 0) + value
    values.set(series, sum)
  }
  return [...values]
}

/** What a process leaves behind: what it counted stays counted, what it had is gone. */
export function left(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ type }) => type !== 'gauge')
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeValue = (text: string) => escapeHelp(text).replaceAll('"', '\\"')
