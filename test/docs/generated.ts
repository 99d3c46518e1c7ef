// Generates the parts of the guides that the code knows, as Markdown.

import { readFileSync } from 'node:fs'
import { describeSettings } from '../../src/config/config.ts'
import { doctorChecks } from '../../src/commands/doctor/finding.ts'
import { usage } from '../../src/commands/help.ts'
import { formats } from '../../src/import/formats.ts'
import { keysUsage } from '../../src/commands/keys.ts'
import { problems } from '../../src/api/problems/problem.ts'
import { expectations } from '../../src/resources/work-packets/expectations.ts'
import { listMetrics } from '../../src/runtime/metrics/catalog.ts'
import { readAttacks } from '../support/figures.ts'
import type { Sql } from '../support/workgate.ts'
import { operations } from './document.ts'
import { describeTables } from './tables.ts'

/** By the name in `<!-- generated: name -->`. */
export const generators: Readonly<Record<string, (sql: Sql) => string | Promise<string>>> = {
  settings: () =>
    table(
      ['Name', 'Default', 'Meaning'],
      describeSettings().map(({ name, fallback, meaning }) => [code(name), fallback && code(fallback), meaning]),
    ),
  commands: () => fenced(usage),
  'systemd unit': () => fenced(readFileSync('src/commands/unit/workgate.service', 'utf8').trim(), 'ini'),
  'compose file': () => fenced(readFileSync('src/commands/unit/compose.yaml', 'utf8').trim(), 'yaml'),
  'keys usage': () => fenced(keysUsage),
  metrics: () =>
    table(
      ['Metric', 'Labels', 'Meaning'],
      listMetrics().map(({ name, type, labels, help }) => [
        code(name),
        labels.map(code).join(' '),
        type === 'histogram' ? `Histogram. ${help}` : help,
      ]),
    ),
  alerts: () => {
    const rules = readFileSync('src/docs/monitoring/workgate-alerts.yaml', 'utf8').split('- alert: ').slice(1)
    const rows = rules.map((rule) => {
      const [, description] = /description: (?:>-)?([^]+)/.exec(rule)!
      return [code(rule.split('\n')[0]!), description!.trim().replace(/\s+/g, ' ')]
    })
    return table(['Alert', 'Meaning'], rows)
  },
  doctor: () =>
    table(
      ['Check', 'Examines'],
      doctorChecks.map(({ name, examines }) => [code(name), examines]),
    ),
  attacks: () =>
    table(
      ['Attack', 'Behavior', 'Figures'],
      Object.entries(readAttacks()).map(([attack, { behavior, figures }]) => [
        attack,
        behavior,
        Object.entries(figures)
          .map(([name, value]) => `${name}: ${value}`)
          .join('; '),
      ]),
    ),
  tables: describeTables,
  expectations: () =>
    table(
      ['Parameter', 'Value'],
      Object.entries(expectations).map(([name, { meaning }]) => [code(name), meaning]),
    ),
  lists: () => table(['List', 'Filters', 'Sorts'], lists()),
  formats: () =>
    formats
      .map(({ title, how, command, lost }) =>
        [
          `- **${title}**: ${how}. Not imported: ${lost}.`,
          ...(command ? [fenced(command, 'sh').replaceAll(/^/gm, '  ')] : []),
        ].join('\n\n'),
      )
      .join('\n'),
  'error codes': () =>
    table(
      ['Code', 'Status', 'Title'],
      Object.entries(problems).map(([name, [status, title]]) => [`[${code(name)}](#${name})`, String(status), title]),
    ),
}

/** Replaces every generated part of a guide. */
export async function withGeneratedParts(guide: string, sql: Sql): Promise<string> {
  let text = guide
  for (const [part, start, name, end] of guide.matchAll(/(<!-- generated: (.+?) -->)[^]*?(<!-- end -->)/g)) {
    const generate = generators[name!]
    if (!generate) throw new Error(`no generator is called ${name}`)
    const generated = await generate(sql)
    text = text.replace(part, () => `${start}\n\n${generated}\n\n${end}`)
  }
  return text
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
const code = (text: string) => `\`${text}\``
const fenced = (text: string, language = 'text') => `\`\`\`${language}\n${text}\n\`\`\``

/** Parameters that are not filters. */
const paging = ['limit', 'cursor', 'sort', 'include']
const times = ['createdAfter', 'createdBefore', 'updatedAfter', 'updatedBefore']

function lists(): string[][] {
  return operations
    .filter(({ query }) => query.some(({ name }) => name === 'sort'))
    .map(({ name, query }) => {
      const filters = query.map((parameter) => parameter.name).filter((filter) => !paging.includes(filter))
      const hasTimes = times.every((filter) => filters.includes(filter))
      const shown = filters.filter((filter) => !hasTimes || !times.includes(filter)).map(code)
      const sorts = query.find((parameter) => parameter.name === 'sort')!.schema
      return [
        code(name),
        [...shown, ...(hasTimes ? ['_times_'] : [])].join(' '),
        sortsOf(sorts['enum'], sorts['default']),
      ]
    })
}

/** The default first; every sort has both directions. */
function sortsOf(values: string[], first: string): string {
  const fields = values.filter((value) => !value.startsWith('-'))
  const ordered = [first, ...fields.filter((field) => field !== first.replace('-', ''))]
  return ordered.map(code).join(' ')
}
