// Cursors of changes: the snapshot of what the reader knows, in each journal, when in the history of its server it was made,
// and the bookmark of the reader in the transaction that it is reading, as integers of variable length, encrypted, and bound to
// the feed. A cursor grants no access: the scope is applied to every page.

import type { Runner } from '../../db/pool/pool.ts'
import { uuidOf } from '../../api/input/values.ts'
import { Problem } from '../../api/problems/problem.ts'
import { cursorExpired } from './cursor-expired.ts'
import { open, seal, type Secret } from './sealed.ts'
import { isNormal, type Snapshot } from './snapshot.ts'

export interface Reading {
  /** Identifies the selection of projects; 0 if there is only one. */
  selection: number
  /** The number of the day on which the cursor was made. */
  day: number
  /** One, or in a cluster that of each node. */
  journals: readonly KnownJournal[]
  bookmark: Bookmark | undefined
}

/** The knowledge of a reader of one journal. */
export interface KnownJournal {
  /** The number of the node in its cluster; 0 without a cluster. */
  node: number
  /** The epoch of the server in which the cursor was made; see sql/migrations/0013-epochs.sql. */
  epoch: string
  /** The end of the log then: everything that the reader knows was written before. */
  lsn: bigint
  base: Snapshot
}

/** The last thing that was read in a transaction that has more; undefined between transactions. */
export interface Bookmark {
  /** The node of its journal. */
  journal: number
  /** 0: the reader is still reading all objects, as at the beginning. */
  xid: bigint
  seq: bigint
  project: string
  rank: number
  id: string
}

/** The path and the kinds that a cursor belongs to. */
type Feed = readonly unknown[]

const idLength = 16
const lowestRank = -2
/** After everything in a project. */
const maxRank = 1_000
const maxInteger = 2n ** 63n

export function encodeReading(secret: Secret, feed: Feed, { selection, day, journals, bookmark }: Reading): string {
  const bytes = Buffer.concat([
    numbers(day, selection, journals.length * 2 + (bookmark ? 1 : 0)),
    ...journals.flatMap(({ node, epoch, lsn, base: { xmax, xip } }) => [
      idBytes(epoch),
      numbers(node, lsn, xmax, xip.length, ...xip.map((xid) => xmax - xid)),
    ]),
    ...(bookmark
      ? [
          numbers(bookmark.journal, bookmark.xid, bookmark.seq, bookmark.rank - lowestRank),
          idBytes(bookmark.project),
          idBytes(bookmark.id),
        ]
      : []),
  ])
  return seal(secret, JSON.stringify(feed), bytes)
}

/** Also returns the secret of the cursor: the caller checks that it is still one of the database. */
export async function decodeReading(db: Runner, feed: Feed, text: string): Promise<Reading & { secret: Secret }> {
  const opened = await open(db, JSON.stringify(feed), text)
  if (opened === 'unknown secret') throw cursorExpired('other_database')
  if (opened === 'invalid') throw invalidCursor()
  const reading = parse(opened.bytes)
  if (reading === undefined) throw invalidCursor()
  return { ...reading, secret: opened.secret }
}

/** Whatever the bytes are, the result is a valid state: other versions may have made them. */
function parse(bytes: Buffer): Reading | undefined {
  let at = 0
  let isValid = true
  const check = (condition: boolean) => void (isValid &&= condition)

  function next(): bigint {
    let number = 0n
    for (let shift = 0n; shift <= 63n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) break
      number |= BigInt(byte & 127) << shift
      if (byte < 128 && number < maxInteger) return number
    }
    isValid = false
    return 0n
  }

  function nextId(): string {
    check(bytes.length >= at + idLength)
    at += idLength
    return uuidOf(bytes.subarray(at - idLength, at))
  }

  function nextJournal(): KnownJournal {
    const epoch = nextId()
    const [node, lsn, xmax, count] = [Number(next()), next(), next(), next()]
    check(isNormal(xmax) && count <= bytes.length)
    const xip = Array.from({ length: isValid ? Number(count) : 0 }, () => xmax - next())
    check(xip.every((xid, n) => xid > (xip[n - 1] ?? 0n) && xid < xmax && isNormal(xid)))
    return { node, epoch, lsn, base: { xmax, xip } }
  }

  function nextBookmark(): Bookmark {
    const [journal, xid, seq, rank] = [Number(next()), next(), next(), Number(next()) + lowestRank]
    check(rank <= maxRank)
    return { journal, xid, seq, rank, project: nextId(), id: nextId() }
  }

  const [day, selection, parts] = [Number(next()), Number(next()), next()]
  const count = parts >> 1n
  check(count > 0n && count <= bytes.length)
  const journals = Array.from({ length: isValid ? Number(count) : 0 }, nextJournal)
  const bookmark = isValid && parts & 1n ? nextBookmark() : undefined
  check(bytes.subarray(at).every((byte) => byte === 0))
  check(!bookmark || bookmark.xid === 0n || journals.some(({ node }) => node === bookmark.journal))
  return isValid ? { selection, day, journals, bookmark } : undefined
}

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

const numbers = (...all: readonly (number | bigint)[]) => Buffer.from(all.flatMap((number) => toBytes(BigInt(number))))

function toBytes(number: bigint): number[] {
  return number < 128n ? [Number(number)] : [Number(number & 127n) | 128, ...toBytes(number >> 7n)]
}

function invalidCursor(): Problem {
  return new Problem(
    'INVALID_CURSOR',
    'The cursor does not belong to these changes, with these kinds. Start again without a cursor.',
    { faults: [{ in: 'query', name: 'cursor', message: 'must be the meta.cursor of a response with the same kinds' }] },
  )
}
