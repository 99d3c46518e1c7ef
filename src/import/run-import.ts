// Imports a file: stages its rows in temporary tables, and then brings the project up to date in one transaction, set by
// set. The statements are in sql/import.

import type { Session } from '../db/pool/connection.ts'
import { query } from '../db/statements/query.ts'
import { include } from '../db/statements/template.ts'
import { copiedSql } from '../resources/tasks/task-json.ts'
import type { Progress } from '../runtime/progress.ts'
import { beginImport, type Writer } from './begin-import.ts'
import { InvalidFile, InvalidValue } from './invalid.ts'
import { createIdentifier } from './identify.ts'
import { readOutcomes, type ImportResult, type Invalid } from './outcomes.ts'
import { isCovered, type PlannedChange } from './plan.ts'
import type { ReadRecord } from './reading.ts'
import type { StagedRow } from './staged.ts'
import analyzeSql from '../../sql/import/analyze.sql'
import boardsSql from '../../sql/import/boards.sql'
import commentsSql from '../../sql/import/comments.sql'
import createTablesSql from '../../sql/import/create-tables.sql'
import declaredNamesSql from '../../sql/import/declared-names.sql'
import deleteMissingSql from '../../sql/import/delete-missing.sql'
import deleteTagsSql from '../../sql/import/delete-tags.sql'
import documentsSql from '../../sql/import/documents.sql'
import filesSql from '../../sql/import/files.sql'
import findMissingSql from '../../sql/import/find-missing.sql'
import findTasksSql from '../../sql/import/find-tasks.sql'
import leaveOutEntriesSql from '../../sql/import/leave-out-entries.sql'
import planSql from '../../sql/import/plan.sql'
import ownFieldsSql from '../../sql/import/own-fields.sql'
import projectsSql from '../../sql/import/projects.sql'
import sourcesSql from '../../sql/import/sources.sql'
import stageRowsSql from '../../sql/import/stage-rows.sql'
import tagsWatchersSql from '../../sql/import/tags-watchers.sql'
import tasksSql from '../../sql/import/tasks.sql'
import timeEntriesSql from '../../sql/import/time-entries.sql'
import timeZoneSql from '../../sql/import/time-zone.sql'
import usersSql from '../../sql/import/users.sql'

const setTimeZone = query(timeZoneSql)
const stageRows = query(stageRowsSql)
const readDeclaredNames = query<{ name: string }>(declaredNamesSql)
const readPlan = query<PlannedChange>(planSql)

/** Write what projects contain. */
export const contents: readonly string[] = [
  boardsSql,
  ownFieldsSql,
  include(tasksSql, copiedSql),
  tagsWatchersSql,
  commentsSql,
  filesSql,
  timeEntriesSql,
  documentsSql,
]

const scripts = ({ full, createTasks }: Pick<ImportOptions, 'full' | 'createTasks'>): string[] => [
  usersSql,
  projectsSql,
  findTasksSql,
  ...(createTasks ? [] : [leaveOutEntriesSql]),
  sourcesSql,
  ...(full ? [findMissingSql] : []),
  ...contents,
  ...(full ? [deleteMissingSql] : []),
  deleteTagsSql,
]

export interface ImportOptions {
  /** Names the writer in the history. */
  file: string
  /** The key of the project for all rows. */
  project: string | undefined
  /** In which times without an offset are. */
  timezone: string
  /** Deletes tasks that the file no longer has. */
  full: boolean
  /** Folded types of tasks. */
  leftOut: readonly string[]
  /** Creates the tasks that time entries name and the project does not have. */
  createTasks: boolean
  skipInvalid: boolean
  dryRun: boolean
  /** Whether nobody has to be asked. */
  accepts(plan: readonly PlannedChange[]): boolean
  ask(plan: readonly PlannedChange[]): Promise<boolean>
  /** Is called before the import is committed. */
  record(session: Session, result: ImportResult): Promise<void>
}

/** A file, or standard input. */
export interface Source {
  /** Infinity if it is not known. */
  bytes: number
  /** Calls the listener with the number of bytes that were read. */
  read(onRead: (bytes: number) => void): AsyncIterable<ReadRecord>
}

const bytesPerMb = 1_000_000
const rowsPerBatch = 1_000
const maxBatchLength = 4 * 1_048_576
const minRowsToAnalyze = 1_000

export async function runImport(
  session: Session,
  source: Source,
  options: ImportOptions,
  progress: Progress,
): Promise<ImportResult> {
  const notes = new Map<string, number>()
  const count = (text: string, n = 1) => void notes.set(text, (notes.get(text) ?? 0) + n)
  await setTimeZone(session, { timezone: options.timezone })
  const { invalid, rows } = await progress(
    `reading ${options.file}`,
    source.bytes / bytesPerMb,
    (advance) =>
      stage(
        session,
        source.read((bytes) => advance(bytes / bytesPerMb)),
        options,
        count,
      ),
    'MB',
  )
  if (invalid.length > 0 && !options.skipInvalid) return { kinds: [], notes, invalid, plan: [], isCommitted: false }
  // Before, because rows may have been loaded just now, and after, because the service should not wait for autovacuum.
  const analyze = () => (rows < minRowsToAnalyze ? undefined : session.script(analyzeSql))
  await analyze()
  let confirmed: readonly PlannedChange[] = []
  for (;;) {
    const result: ImportResult = {
      kinds: [],
      notes: new Map(notes),
      invalid: [...invalid],
      plan: [],
      isCommitted: false,
    }
    await progress('writing', scripts(options).length, (advance) =>
      apply(session, { ...options, writer: { channel: 'import', actor: options.file } }, result, advance),
    )
    const { plan } = result
    const isWanted = !options.dryRun && (result.invalid.length === 0 || options.skipInvalid)
    result.isCommitted = isWanted && (options.accepts(plan) || isCovered(plan, confirmed))
    if (result.isCommitted) await options.record(session, result)
    await session.script(result.isCommitted ? 'commit' : 'rollback')
    if (result.isCommitted) await analyze()
    // While somebody decides, no lock is held. It is then written again, and more is confirmed again.
    if (!isWanted || result.isCommitted || !(await options.ask(plan))) return result
    confirmed = plan
  }
}

/** Returns the records that cannot be read, and the number of rows that were staged. */
export async function stage(
  session: Session,
  records: AsyncIterable<ReadRecord> | Iterable<ReadRecord>,
  { project, full, leftOut }: Pick<ImportOptions, 'project' | 'full' | 'leftOut'>,
  note: (text: string) => void,
): Promise<{ invalid: Invalid[]; rows: number }> {
  await session.script(createTablesSql)
  const declared = new Set((await readDeclaredNames(session, {})).map(({ name }) => name))
  const identify = createIdentifier(project, note, { leftOut, declared })
  const invalid: Invalid[] = []
  let batch: string[] = []
  let length = 0
  let staged = 0
  let staging: Promise<unknown> = Promise.resolve()
  /** The database stages a batch while the next one is read. */
  const flush = async () => {
    await staging
    if (batch.length > 0) staging = stageRows(session, { rows: `[${batch.join(',')}]` })
    staging.catch(() => {})
    batch = []
    length = 0
  }
  const refuse = (line: number, { column, value, message }: InvalidValue) =>
    void invalid.push({ line, column, value, rule: message })

  for await (const { line, objects, invalid: unreadable } of records) {
    if (unreadable) refuse(line, unreadable)
    const rows: StagedRow[] = []
    try {
      for (const object of objects) {
        if (full && object.kind === 'exported')
          throw new InvalidFile('an export, with tasks of any source: --full needs the file of one tool')
        identify(object, rows)
      }
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      refuse(line, error)
    }
    staged += rows.length
    for (const row of rows) {
      const text = JSON.stringify({ ...row, line })
      batch.push(text)
      length += text.length
    }
    if (batch.length >= rowsPerBatch || length > maxBatchLength) await flush()
  }
  await flush()
  await staging
  return { invalid, rows: staged }
}

/** Begins the transaction, which the caller ends. */
export async function apply(
  session: Session,
  { writer, ...options }: Pick<ImportOptions, 'full' | 'createTasks'> & { writer: Writer },
  result: ImportResult,
  advance: () => void,
): Promise<void> {
  await beginImport(session, writer)
  for (const script of scripts(options)) {
    await session.script(script)
    advance()
  }
  result.plan = await readPlan(session, {})
  const { kinds, notes, invalid } = await readOutcomes(session)
  result.kinds = kinds
  result.invalid.push(...invalid)
  for (const [text, n] of notes) result.notes.set(text, n)
}
