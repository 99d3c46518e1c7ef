// The format of a backup: compressed lines of JSON. The first one describes the backup. Then each table is a line with its
// columns and a line for each row, and the last line contains the digest of all.

import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import * as v from 'valibot'
import { savedTables } from './tables.ts'

const text = v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/))
const rowCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const formatSchema = v.object({
  workgate: v.literal('backup'),
  format: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** The version of Workgate. */
  version: text,
})
const headerSchema = v.object({
  ...formatSchema.entries,
  takenAt: v.pipe(v.string(), v.isoTimestamp()),
  migrations: v.array(v.object({ name: text, checksum: v.string() })),
  /** The number of rows by table. */
  rows: v.strictObject(Object.fromEntries(savedTables.map((name) => [name, rowCount]))),
})
const tableSchema = v.object({
  table: v.picklist(savedTables),
  columns: v.pipe(
    v.array(text),
    v.minLength(1),
    v.check((names) => new Set(names).size === names.length),
  ),
})
/** The last line: the digest of the lines without rows, and of the digests of the rows of each table. */
const endSchema = v.object({ digest: v.string() })

export type Header = v.InferOutput<typeof headerSchema>
export type TableHead = v.InferOutput<typeof tableSchema>

export type Block = { header: Header } | TableHead | { lines: string[] } | { digests: Record<string, string> }

export class InvalidBackup extends Error {
  override name = 'InvalidBackup'
}

/** Computes the digest of one table, or of a whole backup. */
export function createDigest() {
  const hash = createHash('sha256')
  return {
    add: (line: string) => void hash.update(line).update('\n'),
    end: () => `sha256:${hash.digest('hex')}`,
  }
}

export const digestOf = (heads: readonly string[], digests: Record<string, string>): string => {
  const all = createDigest()
  for (const line of [...heads, JSON.stringify(digests)]) all.add(line)
  return all.end()
}

const newline = 0x0a
const maxBlockLength = 262_144
const maxHeaderBytes = 1_048_576
/** About the longest string in Node. */
const maxLineBytes = 512_000_000

/** Reads a backup, and throws InvalidBackup at its end at the latest if it is not complete and unchanged. */
export async function* readBackup(source: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  const heads: string[] = []
  const digests: Record<string, string> = {}
  const counts: Record<string, number> = {}
  let header: Header | undefined
  let current: { table: string; rows: number; digest: ReturnType<typeof createDigest> } | undefined
  let lines: string[] = []
  let length = 0
  let isComplete = false

  const endTable = () => {
    if (!current) return
    digests[current.table] = current.digest.end()
    counts[current.table] = current.rows
    current = undefined
  }
  for await (const line of readLines(source)) {
    if (isComplete) throw new InvalidBackup('damaged: something follows its end')
    if (line.startsWith('[')) {
      if (!current) throw new InvalidBackup('damaged: a row belongs to no table')
      current.digest.add(line)
      current.rows++
      lines.push(line)
      length += line.length
    }
    if (lines.length > 0 && (length > maxBlockLength || !line.startsWith('['))) {
      yield { lines }
      lines = []
      length = 0
    }
    if (line.startsWith('[')) continue
    endTable()
    if (!header) {
      header = parseHeader(line)
      heads.push(line)
      yield { header }
      continue
    }
    const head = parseHead(line)
    if ('digest' in head) {
      if (digestOf(heads, digests) !== head.digest)
        throw new InvalidBackup('damaged: its digest is not that of its contents')
      checkCounts(header, counts)
      isComplete = true
      yield { digests }
    } else {
      const { table } = head
      if (Object.hasOwn(counts, table)) throw new InvalidBackup(`damaged: it contains the table ${table} twice`)
      heads.push(line)
      current = { table, rows: 0, digest: createDigest() }
      yield head
    }
  }
  if (!isComplete) throw new InvalidBackup(header ? 'incomplete: its end is missing' : 'empty')
}

function checkCounts({ rows }: Header, counts: Readonly<Record<string, number>>) {
  for (const table of savedTables) {
    const count = counts[table]
    if (count === undefined) throw new InvalidBackup(`incomplete: the table ${table} is missing`)
    if (count !== rows[table])
      throw new InvalidBackup(`damaged: it has ${count} rows of ${table} instead of ${rows[table]}`)
  }
}

function parseHeader(line: string): Header {
  const notOfWorkgate = 'not a backup of Workgate'
  const value = parseJson(line, notOfWorkgate)
  if (!v.is(v.object({ workgate: v.literal('backup') }), value)) throw new InvalidBackup(notOfWorkgate)
  const { format, version } = parse(formatSchema, value, `${notOfWorkgate}: its header`)
  if (format > 1) throw new InvalidBackup(`a backup of a later version of Workgate (${version})`)
  return parse(headerSchema, value, `${notOfWorkgate}: its header`)
}

function parseHead(line: string): TableHead | v.InferOutput<typeof endSchema> {
  const value = parseJson(line, 'damaged: a line is not JSON')
  const isEnd = typeof value === 'object' && value !== null && 'digest' in value
  return isEnd ? parse(endSchema, value, 'damaged: its end') : parse(tableSchema, value, 'damaged: a table')
}

function parseJson(line: string, message: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new InvalidBackup(message)
  }
}

function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown, part: string): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value, { abortEarly: true })
  if (parsed.success) return parsed.output
  const field = v.getDotPath(parsed.issues[0])
  throw new InvalidBackup(field === null ? `${part} is not an object` : `${part} has no valid ${JSON.stringify(field)}`)
}

async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const gunzip = createGunzip()
  // Its errors end the loop.
  pipeline(source, gunzip).catch(() => {})
  try {
    yield* splitLines(gunzip as AsyncIterable<Buffer>)
  } catch (error) {
    throw describeGzipError(error as NodeJS.ErrnoException)
  }
}

/** Each byte is searched and copied once, however many chunks a line has. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let length = 0
  let isFirst = true
  for await (const chunk of chunks) {
    let start = 0
    for (let end; (end = chunk.indexOf(newline, start)) >= 0; start = end + 1) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString()
      begun = []
      length = 0
      isFirst = false
    }
    if (start === chunk.length) continue
    begun.push(chunk.subarray(start))
    length += chunk.length - start
    // Compressed, a line of any length can be a small file.
    if (isFirst && length > maxHeaderBytes) throw new InvalidBackup('not a backup of Workgate')
    if (length > maxLineBytes) throw new InvalidBackup('damaged: a line is longer than 512 MB')
  }
  if (length > 0) throw new InvalidBackup('incomplete: its last line has no end')
}

function describeGzipError(error: NodeJS.ErrnoException): Error {
  if (!error.code?.startsWith('Z_')) return error
  if (error.code === 'Z_BUF_ERROR') return new InvalidBackup('incomplete: its end is missing')
  return new InvalidBackup(/header/.test(error.message) ? 'not a backup of Workgate' : 'damaged')
}
