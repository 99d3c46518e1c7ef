// Cursors of changes: the snapshot of what the reader knows, its place in the transaction that it is reading, and when in
// the history of the server it was made, as integers of variable length, with a digest that binds them to the feed. A
// cursor grants no access: the scope is applied to every page.

import { createHash } from 'node:crypto'
import { decodeBytes, encodeBytes } from '../../api/input/values.ts'
import { Problem } from '../../api/problems/problem.ts'
import { isNormal, type Snapshot } from './snapshot.ts'

export interface Reading {
  /** The epoch of the server in which the cursor was made; see sql/migrations/0013-epochs.sql. */
  epoch: string
  /** The end of the log then: everything that the reader knows was written before. */
  lsn: bigint
  /** Identifies the selection of projects; 0 if there is only one. */
  selection: number
  /** The number of the day on which the cursor was made. */
  day: number
  base: Snapshot
  /** The last thing that was read in a transaction that has more; undefined between transactions. */
  place: Place | undefined
}

export interface Place {
  /** 0: the reader is still reading all objects, as at the beginning. */
  xid: bigint
  seq: bigint
  project: string
  rank: number
  id: string
}

/** The path and the kinds that a cursor belongs to. */
type Feed = readonly unknown[]

const version = 1
const digestLength = 12
const idLength = 16
const lowestRank = -2
const maxInteger = 2n ** 63n

export function encodeReading(feed: Feed, { epoch, lsn, selection, day, base, place }: Reading): string {
  const { xmax, xip } = base
  const numbers = [version, day, lsn, selection, xmax, xip.length, ...xip.map((xid) => xmax - xid)]
  if (place) numbers.push(place.xid, place.seq, place.rank - lowestRank)
  const bytes = Buffer.concat([
    idBytes(epoch),
    Buffer.from(numbers.flatMap((number) => toBytes(BigInt(number)))),
    ...(place ? [idBytes(place.project), idBytes(place.id)] : []),
  ])
  return encodeBytes(Buffer.concat([digest(feed, bytes), bytes]))
}

export function decodeReading(feed: Feed, text: string): Reading {
  const all = decodeBytes(text)
  const bytes = all?.subarray(digestLength)
  const isOurs = bytes && digest(feed, bytes).equals(all!.subarray(0, digestLength))
  const reading = isOurs ? parse(bytes) : undefined
  if (reading === undefined) throw invalidCursor()
  return reading
}

/** The digest is no secret, so whatever it contains, the result is a valid state. */
function parse(bytes: Buffer): Reading | undefined {
  const epoch = idOf(bytes.subarray(0, idLength))
  let at = idLength
  const next = () => {
    let number = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 63n) return -1n
      number |= BigInt(byte & 127) << shift
      if (byte < 128) return number < maxInteger ? number : -1n
    }
  }
  const [found, day, lsn, selection, xmax, count] = [next(), next(), next(), next(), next(), next()]
  if (found !== BigInt(version) || lsn < 0n || xmax < 0n || !isNormal(xmax)) return undefined
  if (count < 0n || count > bytes.length) return undefined
  const xip = Array.from({ length: Number(count) }, () => xmax - next())
  if (!xip.every((xid, n) => xid > (xip[n - 1] ?? 0n) && xid < xmax && isNormal(xid))) return undefined
  const reading = { epoch, lsn, selection: Number(selection), day: Number(day), base: { xmax, xip }, place: undefined }
  if (at === bytes.length) return reading
  const [xid, seq, rank] = [next(), next(), Number(next()) + lowestRank]
  if (xid < 0n || seq < 0n || rank > 9 || bytes.length !== at + 2 * idLength) return undefined
  const project = idOf(bytes.subarray(at, at + idLength))
  return { ...reading, place: { xid, seq, project, rank, id: idOf(bytes.subarray(at + idLength)) } }
}

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')

function toBytes(number: bigint): number[] {
  return number < 128n ? [Number(number)] : [Number(number & 127n) | 128, ...toBytes(number >> 7n)]
}

const digest = (feed: Feed, bytes: Buffer) =>
  createHash('sha256').update(JSON.stringify(feed)).update(bytes).digest().subarray(0, digestLength)

function invalidCursor(): Problem {
  return new Problem(
    'INVALID_CURSOR',
    'The cursor does not belong to these changes, with these kinds. Start again without a cursor.',
    { faults: [{ in: 'query', name: 'cursor', message: 'must be the meta.cursor of a response with the same kinds' }] },
  )
}
