// The format of a backup: compressed lines of JSON. The first one describes the backup. Then each table is a line with its
// columns and a line for each row, and the last line contains the digest of all.

import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

export interface Header {
  workgate: 'backup'
  format: 1
  /** The version of Workgate. */
  version: string
  takenAt: string
  migrations: { name: string; checksum: string }[]
  /** The number of rows by table. */
  rows: Record<string, number>
}

export interface TableHead {
  table: string
  columns: string[]
}

/** The last line: the digest of the lines without rows, and of the digests of the rows of each table. */
interface End {
  digest: string
}

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
  let current: { table: string; digest: ReturnType<typeof createDigest> } | undefined
  let lines: string[] = []
  let length = 0
  let end: End | undefined

  const endTable = () => {
    if (current) digests[current.table] = current.digest.end()
    current = undefined
  }
  for await (const line of readLines(source)) {
    if (end) throw new InvalidBackup('damaged: something follows its end')
    if (line.startsWith('[')) {
      if (!current) throw new InvalidBackup('damaged: a row belongs to no table')
      current.digest.add(line)
      lines.push(line)
      length += line.length
    }
    if (lines.length > 0 && (length > maxBlockLength || !line.startsWith('['))) {
      yield { lines }
      lines = []
      length = 0
    }
    if (line.startsWith('[')) continue
    const head = parseHead(line, heads.length === 0)
    endTable()
    if ('digest' in head) {
      if (digestOf(heads, digests) !== head.digest)
        throw new InvalidBackup('damaged: its digest is not that of its contents')
      end = head
      yield { digests }
    } else {
      heads.push(line)
      if ('table' in head) current = { table: head.table, digest: createDigest() }
      yield head
    }
  }
  if (!end) throw new InvalidBackup(heads.length === 0 ? 'empty' : 'incomplete: its end is missing')
}

function parseHead(line: string, isFirst: boolean): { header: Header } | TableHead | End {
  let head: any
  try {
    head = JSON.parse(line)
  } catch {
    throw new InvalidBackup(isFirst ? 'not a backup of Workgate' : 'damaged: a line is not JSON')
  }
  if (!isFirst) return head
  if (head.workgate !== 'backup') throw new InvalidBackup('not a backup of Workgate')
  if (head.format !== 1) throw new InvalidBackup(`a backup of a later version of Workgate (${head.version})`)
  return { header: head }
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
