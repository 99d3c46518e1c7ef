// Describes what an import did, or would do.

import type { Concern } from './plan.ts'
import type { FileReport, ReadOptions } from './reading.ts'
import { fold } from './columns.ts'
import type { ImportResult, Invalid, Outcome, Outcomes } from './outcomes.ts'

const outcomes: readonly Outcome[] = ['created', 'updated', 'unchanged', 'deleted']
const kinds = [
  'projects',
  'users',
  'teams',
  'boards',
  'stages',
  'tags',
  'tasks',
  'comments',
  'files',
  'time entries',
  'documents',
]
const maxInvalid = 20
const noOffset = 'times have no UTC offset and were taken as UTC (see --timezone)'

const number = (value: number) => value.toLocaleString('en-US')

export function describeImport(
  result: ImportResult,
  report: FileReport,
  { ignored, file }: ReadOptions,
  concerns: readonly Concern[],
): string {
  const unknown = report.unknownColumns.filter((name) => !ignored.includes(fold(name)))
  const local = report.localTimes > 0 && file.timezone === undefined
  const notes = [...result.notes, ...(local ? [[noOffset, report.localTimes] as const] : [])].map(
    ([text, count]) => `${text}: ${number(count)}`,
  )
  return [
    `Format: ${[...report.formats, ...(report.encoding === 'utf-8' ? [] : [report.encoding]), ...(report.sheet === undefined ? [] : [report.sheet])].join(', ')}`,
    '',
    countsTable(result),
    ...section('Columns, as they were understood (see --column, --value and --ignore)', report.columns),
    ...section('First rows', firstRows(result)),
    ...section('Notes', notes),
    ...section(
      'Columns that were not imported (see --column and --ignore)',
      unknown.length > 0 ? [unknown.join(', ')] : [],
    ),
    ...section('To be confirmed', result.isCommitted ? [] : concerns.map(({ option, text }) => `${text}: ${option}`)),
    ...section('Skipped', result.invalid.length > 0 ? describeInvalid(result.invalid) : []),
  ].join('\n')
}

export function countsTable({ kinds: counts }: Outcomes): string {
  const cell = (kind: string, outcome: Outcome) =>
    counts.find((one) => one.kind === kind && one.outcome === outcome)?.count
  const shown = outcomes.filter((outcome) => counts.some((one) => one.outcome === outcome))
  if (shown.length === 0) return 'The file has no rows.'
  const rows = kinds.filter((kind) => counts.some((one) => one.kind === kind))
  const lines = [
    ['', ...shown],
    ...rows.map((kind) => [kind, ...shown.map((outcome) => number(cell(kind, outcome) ?? 0))]),
  ]
  return lines.map(([name, ...cells]) => name!.padEnd(14) + cells.map((text) => text.padStart(11)).join('')).join('\n')
}

function firstRows({ kinds: counts }: ImportResult): string[] {
  return counts
    .filter(({ outcome, names }) => outcome !== 'unchanged' && names.length > 0)
    .map(
      ({ kind, outcome, count, names }) =>
        `${kind} ${outcome}: ${names.join(' · ').replaceAll(/\s+/g, ' ')}${count > names.length ? ' · …' : ''}`,
    )
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

export function describeInvalid(invalid: readonly Invalid[]): string[] {
  const lines = invalid.slice(0, maxInvalid).map(({ line, column, value, rule }) => {
    const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value
    return `line ${line}${column && `, ${column}`}${shown && ` "${shown}"`}: ${rule}`
  })
  return invalid.length > maxInvalid ? [...lines, `… and ${number(invalid.length - maxInvalid)} more`] : lines
}
