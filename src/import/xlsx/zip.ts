// Reads the entries of a ZIP archive in memory, one at a time and as a stream. Node's zlib decompresses them.

import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InvalidFile } from '../invalid.ts'

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
export interface ZipEntry {
  name: string
  /** Of its content, as the archive says. */
  size: number
  crc: number
  method: number
  isEncrypted: boolean
  compressedSize: number
  /** Where its local header begins. */
  offset: number
}

export const zipSignature = Buffer.from('PK\x03\x04', 'latin1')
const directoryEnd = Buffer.from('PK\x05\x06', 'latin1')
const directoryEntry = Buffer.from('PK\x01\x02', 'latin1')
const directoryEndLength = 22
const maxCommentLength = 65_535
const isIn64Bits = 0xffff_ffff

/** The entries by name. */
export function listEntries(archive: Buffer): Map<string, ZipEntry> {
  const end = archive.lastIndexOf(directoryEnd)
  const comment = archive.length - end - directoryEndLength
  if (end < 0 || comment < 0 || comment > maxCommentLength) throw new InvalidFile('an incomplete ZIP archive')
  const entries = new Map<string, ZipEntry>()
  try {
    let at = archive.readUInt32LE(end + 16)
    for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
      if (!startsAt(archive, at, directoryEntry)) throw new RangeError('no entry')
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field))
      const extraAt = at + 46 + nameLength!
      const entry = {
        name: archive.toString('utf8', at + 46, extraAt),
        isEncrypted: (archive.readUInt16LE(at + 8) & 1) === 1,
        method: archive.readUInt16LE(at + 10),
        crc: archive.readUInt32LE(at + 16),
        ...sizesOf(archive, at, archive.subarray(extraAt, extraAt + extraLength!)),
      }
      entries.set(entry.name, entry)
      at = extraAt + extraLength! + commentLength!
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new InvalidFile('a damaged ZIP archive: its list of files cannot be read')
  }
  return entries
}

/** Some programs write all sizes with 64 bits, in a field of their own. */
function sizesOf(archive: Buffer, at: number, extra: Buffer): Pick<ZipEntry, 'size' | 'compressedSize' | 'offset'> {
  const wide: number[] = []
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2))
    if (extra.readUInt16LE(field) === 1)
      for (let value = field + 4; value + 8 <= field + 4 + extra.readUInt16LE(field + 2); value += 8)
        wide.push(Number(extra.readBigUInt64LE(value)))
  const [size, compressedSize, offset] = [24, 20, 42].map((field) => {
    const narrow = archive.readUInt32LE(at + field)
    return narrow === isIn64Bits ? (wide.shift() ?? narrow) : narrow
  })
  return { size: size!, compressedSize: compressedSize!, offset: offset! }
}

const startsAt = (archive: Buffer, at: number, signature: Buffer) =>
  archive.subarray(at, at + signature.length).equals(signature)

/** Yields the content, and never more than its size. */
export async function* readEntry(archive: Buffer, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { name, method, offset, compressedSize, isEncrypted } = entry
  if (isEncrypted) throw new InvalidFile('a ZIP archive with a password: save it without one')
  const damaged = new InvalidFile(`a damaged ZIP archive: ${name} cannot be read`)
  if (offset + 30 > archive.length || !startsAt(archive, offset, zipSignature)) throw damaged
  const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const data = archive.subarray(start, start + compressedSize)
  if (data.length < compressedSize || (method !== 0 && method !== 8)) throw damaged
  // As a file of gzip, zlib also compares its checksum and its size.
  const gunzip = createGunzip({ chunkSize: 65_536 })
  pipeline(Readable.from(gzipped(method === 8 ? [data] : storedBlocks(data), entry)), gunzip, () => {})
  let size = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > entry.size) throw damaged
      yield chunk
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged : error
  }
}

// RFC 1952
function* gzipped(deflated: Iterable<Buffer>, { crc, size }: ZipEntry) {
  yield Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  yield* deflated
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  yield trailer
}

/** Data that is not compressed, as blocks of RFC 1951. */
function* storedBlocks(data: Buffer) {
  const maxLength = 65_535
  let at = 0
  do {
    const block = data.subarray(at, at + maxLength)
    at += maxLength
    const header = Buffer.from([at >= data.length ? 1 : 0, 0, 0, 0, 0])
    header.writeUInt16LE(block.length, 1)
    header.writeUInt16LE(~block.length & 0xffff, 3)
    yield header
    yield block
  } while (at < data.length)
}
