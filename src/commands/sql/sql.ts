// workgate sql: runs SQL on the database of the service.

import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Session } from '../../db/pool/connection.ts'
import { serverError } from '../../db/errors.ts'
import { escapeLines } from '../../runtime/text-lines.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { openFile } from '../input-file.ts'
import { parseOptions } from '../parse-options.ts'
import { retryUntilAvailable, withDatabase } from '../with-database.ts'
import { asCsv, asJson, asTable, type Format } from './format-results.ts'
import { lineAt, splitStatements, type ScriptStatement } from './split-statements.ts'

export const sqlUsage = 'workgate sql [FILE|- | -c STATEMENT…] [--csv | --json] [--single-transaction]'

export async function sql(context: CommandContext): Promise<void> {
  const flag = { type: 'boolean' } as const
  const options = {
    command: { type: 'string', short: 'c', multiple: true },
    csv: flag,
    json: flag,
    'single-transaction': flag,
  } as const
  const { values, positionals } = parseOptions(context.args, options, sqlUsage, true)
  const [path, extra] = positionals
  if (extra !== undefined || (path !== undefined && values.command !== undefined))
    throw new UsageError(`unexpected argument "${extra ?? path}"\n\n${sqlUsage}`)
  if (values.csv && values.json) throw new UsageError(`--csv cannot be combined with --json\n\n${sqlUsage}`)
  const scripts = values.command
    ? values.command.map((text, n, all) => ({ text, source: all.length === 1 ? '-c' : `-c number ${n + 1}` }))
    : [await readScript(context, path)]
  const statements = scripts.flatMap(({ text, source }) =>
    splitStatements(text).map((statement) => ({ ...statement, source })),
  )
  statements.forEach(refusePsql)

  const format: Format = values.csv ? asCsv : values.json ? asJson : asTable
  const isOne = values['single-transaction'] ?? false
  await withDatabase(context, async (db) => {
    await retryUntilAvailable(context, () => db.run('select'))
    await db.session(async (session) => {
      if (isOne) await session.script('begin')
      for (const [n, statement] of statements.entries()) {
        const output = format(await run(session, statement, isOne || n === 0))
        if (output !== undefined) await write(context, `${output}\n`)
      }
      if (isOne) await session.script('commit')
    })
  })
}

interface SourceStatement extends ScriptStatement {
  /** Where it was read. */
  source: string
}

async function readScript(context: CommandContext, path = '-') {
  if (path === '-' && context.ask)
    throw new UsageError(`missing FILE or -c STATEMENT; standard input is a terminal\n\n${sqlUsage}`)
  const source = path === '-' ? 'standard input' : path
  return { source, text: await text(Readable.from(openFile(context, path).stream)) }
}

function refusePsql({ text, line, source }: SourceStatement): void {
  const where = `${source}, line ${line}`
  const [, command] = /^(\\\S+)/.exec(text) ?? []
  if (command !== undefined)
    throw new UsageError(`${where}: ${command} is a command of psql, not SQL; "workgate import" loads files`)
  if (/^copy\b[^]*\b(from\s+stdin|to\s+stdout)\b/i.test(text))
    throw new UsageError(`${where}: copy can neither read standard input nor write to standard output here; use "workgate import", or select with --csv`) // prettier-ignore
}

async function run(session: Session, { text, line, source }: SourceStatement, isUnchanged: boolean) {
  try {
    return await session.query(text)
  } catch (error) {
    const server = serverError(error)
    if (!server) throw error
    const { message, code, detail, hint, position } = server
    const at = line + lineAt(text, Number(position ?? 1) - 1) - 1
    const more = [detail, hint].filter((one) => one).map((one) => `\n  ${one}`)
    const rest = isUnchanged ? 'Nothing was changed.' : 'The statements before it were executed.'
    throw new Error(`${source}, line ${at}: ${message} (${code})${more.join('')}\n${rest}`)
  }
}

/** At a terminal, CSV and JSON are for people, too, so characters that it would obey are escaped. */
async function write({ output }: CommandContext, text: string): Promise<void> {
  const shown = (output as { isTTY?: boolean }).isTTY ? escapeLines(text.replaceAll('\r\n', '\n')) : text
  await new Promise<void>((resolve, reject) => {
    const closed = 'the output was closed before all of it was written; the statements after it were not executed'
    output.write(shown, (error) => (error ? reject(new Error(closed)) : resolve()))
  })
}
