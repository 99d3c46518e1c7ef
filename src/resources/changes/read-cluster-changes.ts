// Reads a page of changes in a cluster, where every node has a journal. What the next entries of one journal name is read in
// the places of the projects, wherever they are now. Users, teams and what keys select are in the journals of all nodes, and
// read in the first one.

import { directory } from '../../api/freshness/freshness.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import type { Runner } from '../../db/pool/pool.ts'
import type { Journal, Place, Projects } from '../../db/projects.ts'
import type { KnownJournal } from './change-cursor.ts'
import { findEntries, findObjects, mergeChanges, type EntriesRow } from './change-statements.ts'
import {
  continueFrom,
  journalParams,
  withEpoch,
  type ChangesRequest,
  type Expired,
  type PageOfChanges,
  type Reach,
} from './read-server-changes.ts'
import type { Secret } from './sealed.ts'
import { parseSnapshot } from './snapshot.ts'

interface Entry {
  /** Null while the reader reads all objects. */
  scope: string | null
  kind: string
  id: string | null
}

/** A journal, with the entries in it that are new to the reader. */
interface News {
  node: number
  /** As the reader knows it. Undefined at the beginning, and of a node that has come to the cluster later. */
  known: KnownJournal | undefined
  row: EntriesRow & { epoch: string; secrets: Secret[] }
  entries: Entry[]
}

/** The transactions that a reader knows of a node that has come to the cluster later. */
const none = { xmax: 3n, xip: [] }

export async function readClusterChanges(
  db: Projects,
  [home, ...others]: readonly Journal[],
  request: ChangesRequest,
): Promise<PageOfChanges | Expired> {
  const { known, isFilling } = request
  const all = [home!, ...others]
  if (known?.some(({ node }) => !all.some((one) => one.node === node))) return { expired: 'other_database' }
  /** The node in a transaction of which the reader is. */
  const begun = isFilling ? undefined : request.bookmark?.journal
  const first = await readJournal(home!, request, true)
  const reach = reachOf(request.reach, first.row)
  const inReach = { ...request, reach }
  const found = await Promise.all(
    others
      .filter(({ node }) => begun === undefined || node === begun)
      .map((other) => readJournal(other, inReach, false).catch(skipFor(inReach))),
  )
  const journals = [first, ...found.filter((journal) => journal !== undefined)]
  const expired = journals.map(({ row }) => row.expired).find((reason) => reason !== null)
  if (expired) return { expired }

  const withNews = journals.filter(({ node, entries }) => entries.length > 0 && (begun ?? node) === node)
  const current = isFilling ? first : (journals.find(({ node }) => node === begun) ?? withNews[0])
  const page = current && (await readPage(db, home!.db, current, inReach))
  const next = page && continueFrom(page, current.row.now, baseOf(current, inReach), request, current.node)

  function after(journal: News): KnownJournal | undefined {
    const { node, row, entries } = journal
    const now = { node, epoch: row.epoch, lsn: BigInt(row.lsn), base: parseSnapshot(row.now) }
    if (journal === current) return { ...now, base: next!.base }
    if (isFilling) return { ...now, base: journal.known?.base ?? now.base }
    return begun !== undefined || entries.length > 0 ? journal.known : now
  }

  return {
    found: first.row.found,
    data: page?.data ?? '[]',
    journals: all.flatMap(({ node }) => {
      const journal = journals.find((one) => one.node === node)
      return (journal ? after(journal) : known?.find((one) => one.node === node)) ?? []
    }),
    secrets: first.row.secrets,
    bookmark: next?.bookmark,
    hasMore: next !== undefined && (next.hasMore || (!isFilling && withNews.length > 1)),
  }
}

async function readJournal({ node, db }: Journal, request: ChangesRequest, isFirst: boolean): Promise<News> {
  const { known: all, bookmark, reach, isFilling, bounds } = request
  const known = all?.find((one) => one.node === node)
  const isBegun = bookmark?.journal === node
  const params = {
    ...reach,
    ...journalParams({ isFilling, bookmark: isBegun ? bookmark : undefined }, known),
    ...(all && !known && { base: '3:3:' }),
    projectsOnly: !isFirst || null,
    ...(isBegun && !isFilling && { seq: bounds['seq']! }),
    limit: bounds['limit']!,
  }
  const row = await withEpoch(db, async () => (await findEntries(db, params))[0]!)
  return { node, known, row, entries: JSON.parse(row.entries) as Entry[] }
}

const baseOf = ({ known }: News, request: ChangesRequest) => known?.base ?? (request.known ? none : undefined)

/** The selection of a key is read with the first journal. */
const reachOf = (reach: Reach, { reach: selected }: EntriesRow): Reach =>
  reach.all ? reach : { projectIds: JSON.parse(selected!) as string[] }

/**
 * A node that does not respond hides the changes of its projects. Readers of another project go on without it, since their
 * project is not there: the version was confirmed where it is.
 */
const skipFor =
  ({ reach, bookmark }: ChangesRequest) =>
  (error: unknown) => {
    if (error instanceof DatabaseUnavailable && reach.projectIds?.length === 1 && !bookmark) return undefined
    throw error
  }

/** Reads what the entries of a journal name, in each place, and makes a page of it. */
async function readPage(projects: Projects, db: Runner, { row, entries }: News, request: ChangesRequest) {
  const { reach, isFilling, bounds } = request
  const parts = await (isFilling ? everywhere(projects, reach) : named(projects, reach, entries))
  const objects = await Promise.all(
    parts.map(async ({ place, entries }) => {
      const inPlace = isFilling && !reach.all ? { projectIds: place.projectIds } : reach
      const filling = isFilling || null
      const [part] = await findObjects(place.db, { ...inPlace, ...bounds, filling, entries: JSON.stringify(entries) })
      return part!.objects.slice(1, -1)
    }),
  )
  const { now, epoch, lsn } = row
  const { limit, maxBytes } = bounds
  const [page] = await mergeChanges(db, {
    ...reach,
    now,
    epoch,
    lsn,
    limit: limit!,
    maxBytes: maxBytes!,
    entries: row.entries,
    objects: `[${objects.filter((part) => part !== '').join()}]`,
  })
  return page!
}

interface Part {
  place: Place
  entries: Entry[]
}

/** The one entry that stands for everything. */
const everything = { xid: '0', seq: 0, scope: null, kind: 'contents', id: null }

const everywhere = async (db: Projects, { projectIds }: Reach): Promise<Part[]> =>
  (await db.placesNow(projectIds ?? null)).map((place) => ({ place, entries: [everything] }))

/** Users and teams can be shown in any place; everything else belongs to one project. */
async function named(db: Projects, { projectIds }: Reach, entries: readonly Entry[]): Promise<Part[]> {
  const projectOf = ({ scope, kind, id }: Entry) => (kind === 'entered' || kind === 'left' ? id! : scope!)
  const isShared = ({ scope }: Entry) => scope === directory
  const projects = [...new Set(entries.filter((entry) => !isShared(entry)).map(projectOf))]
  const places = new Map<number, Place>()
  if (entries.some(isShared))
    for (const place of await db.placesNow(projectIds ?? null)) places.set(place.number, place)
  const placeOf = new Map<string, number>()
  for (const place of projects.length > 0 ? await db.placesNow(projects) : []) {
    places.set(place.number, place)
    for (const project of place.projectIds) placeOf.set(project, place.number)
  }
  return [...places.values()].map((place) => ({
    place,
    entries: entries.filter((entry) => isShared(entry) || placeOf.get(projectOf(entry)) === place.number),
  }))
}
