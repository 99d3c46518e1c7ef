// Parses the Prometheus text format 0.0.4 strictly: anything that differs from its documentation is an error.

import assert from 'node:assert/strict'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface Family {
  type: string
  samples: Sample[]
}

const nameForm = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const sampleForm = new RegExp(`^(${nameForm})(?:\\{(.*)\\})? (\\S+)$`)
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y

export function readMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  assert.ok(text.endsWith('\n'), 'the last line ends with a newline')
  let current = ''
  let helped = ''
  const seen = new Set<string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = new RegExp(`^# HELP (${nameForm}) \\S.*$`).exec(line) ?? []
    const [, typed, type] = new RegExp(`^# TYPE (${nameForm}) (counter|gauge|histogram)$`).exec(line) ?? []
    if (help) {
      helped = help
    } else if (typed && type) {
      assert.equal(typed, helped, `${typed} has its HELP before its TYPE`)
      assert.ok(!families.has(typed), `${typed} is declared once`)
      families.set((current = typed), { type, samples: [] })
    } else {
      const [, name, labels = '', value] = sampleForm.exec(line) ?? assert.fail(`not a sample: ${line}`)
      const suffix = families.get(current)!.type === 'histogram' ? /_(bucket|sum|count)$/ : /$/
      assert.equal(name!.replace(suffix, ''), current, `${name} follows its TYPE`)
      const series = line.slice(0, line.lastIndexOf(' '))
      assert.ok(!seen.has(series), `${series} occurs once`)
      seen.add(series)
      assert.ok(Number.isFinite(Number(value)), `the value is a number: ${line}`)
      families.get(current)!.samples.push({ name: name!, labels: readLabels(labels), value: Number(value) })
    }
  }
  for (const [name, family] of families) checkFamily(name, family)
  return families
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (labelForm.lastIndex = 0; labelForm.lastIndex < text.length;) {
    const at = labelForm.lastIndex
    const [, name, value] = labelForm.exec(text) ?? assert.fail(`malformed labels: ${text.slice(at)}`)
    assert.ok(!(name! in labels), `${name} occurs once`)
    labels[name!] = value!.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
  }
  return labels
}

function checkFamily(name: string, { type, samples }: Family) {
  assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
  assert.doesNotMatch(name, /_(ms|millis\w*|kb|mb|percent)(_|$)/, 'base units')
  for (const { value } of samples) assert.ok(value >= 0, name)
  if (type === 'histogram') checkHistogram(name, samples)
}

/** Checks for each label set that the buckets are cumulative and that the last one equals the count. */
function checkHistogram(name: string, samples: Sample[]) {
  assert.match(name, /_seconds$/)
  const rest = (labels: Record<string, string>) => JSON.stringify({ ...labels, le: '' })
  for (const labels of new Set(samples.map((sample) => rest(sample.labels)))) {
    const own = samples.filter((sample) => rest(sample.labels) === labels)
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map((bucket) => Number(bucket.labels['le']!.replace('+Inf', 'Infinity')))
    assert.deepEqual(
      bounds,
      [...new Set(bounds)].sort((a, b) => a - b),
      `${name} has its buckets in order`,
    )
    assert.equal(bounds.at(-1), Infinity)
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      `${name} is cumulative`,
    )
    const [sum, count, ...more] = own.slice(buckets.length)
    assert.deepEqual([sum?.name, count?.name, more.length], [`${name}_sum`, `${name}_count`, 0])
    assert.equal(counts.at(-1), count!.value)
  }
}
