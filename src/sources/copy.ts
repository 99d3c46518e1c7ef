// What a project has of its source, compared with what a round has read.

import { createHash } from 'node:crypto'
import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import type { Item, Kind } from './adapter.ts'
import countItemsSql from '../../sql/sources/count-items.sql'
import listItemsSql from '../../sql/sources/list-items.sql'
import unequalItemsSql from '../../sql/sources/unequal-items.sql'

const countItems = query<{ kind: Kind; n: number }>(countItemsSql)
const listItems = query<KnownItem>(listItemsSql)
const findUnequal = query<{ kind: Kind; externalId: string; known: boolean }>(unequalItemsSql)

export interface KnownItem {
  externalId: string
  id: string | null
  parent: string | null
}

export type FoundItem = Item & { fingerprint: string }

const nameOf = ({ kind, externalId }: Pick<Item, 'kind' | 'externalId'>) => `${kind} ${externalId}`
/** A change of something that is not copied is none. */
const fingerprintOf = ({ objects, refused }: Item) =>
  createHash('sha256')
    .update(JSON.stringify([objects, refused]))
    .digest('base64url')
    .slice(0, 22)

export type Copy = Awaited<ReturnType<typeof openCopy>>

/** `retries` are rounds that write what was refused again. */
export async function openCopy(db: Runner, projectId: string, { retries }: { retries: boolean }) {
  const counts = new Map((await countItems(db, { projectId })).map(({ kind, n }) => [kind, n]))
  const found = new Map<string, FoundItem & { is: 'new' | 'changed' | 'same' }>()

  /** Adds what was read. What was read later replaces it. Returns whether something differs from what was known before. */
  async function add(items: Iterable<Item>): Promise<boolean> {
    const read = [...items].map((item) => ({ ...item, fingerprint: fingerprintOf(item) }))
    if (read.length === 0) return false
    const compared = read.map(({ kind, externalId, fingerprint }) => ({ kind, externalId, fingerprint }))
    const unequal = new Map(
      (await findUnequal(db, { projectId, retries, items: JSON.stringify(compared) })).map((row) => [
        nameOf(row),
        row.known,
      ]),
    )
    let differs = false
    for (const item of read) {
      const known = unequal.get(nameOf(item))
      const earlier = found.get(nameOf(item))
      differs ||= earlier ? earlier.fingerprint !== item.fingerprint : known !== undefined
      found.set(nameOf(item), { ...item, is: known === undefined ? 'same' : known ? 'changed' : 'new' })
    }
    return differs
  }

  const newOnes = (kind: Kind) => [...found.values()].filter((item) => item.kind === kind && item.is === 'new')

  return {
    add,
    /** What differs from the project. */
    changed: (): FoundItem[] => [...found.values()].filter(({ is }) => is !== 'same'),
    /** How many there will be, unless some were deleted. */
    count: (kind: Kind): number => (counts.get(kind) ?? 0) + newOnes(kind).length,
    wasRead: (item: Item): boolean => found.has(nameOf(item)),
    /** Of an item that was read. */
    isKnown: (item: Item): boolean => found.get(nameOf(item))?.is !== 'new',
    /** Those that there will be, unless some were deleted, in the order of their ids. */
    async list(kind: Kind): Promise<KnownItem[]> {
      const known = await listItems(db, { projectId, kind })
      const added = newOnes(kind).map(({ externalId, parent = null }) => ({ externalId, parent, id: null }))
      return [...known, ...added].sort((a, b) => byNumber(a.externalId, b.externalId))
    },
  }
}

const byNumber = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
