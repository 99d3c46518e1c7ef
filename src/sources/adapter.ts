// What a round needs from a tracker. An adapter reads; the round decides what to read, what is deleted, and how far the copy is.

import { InvalidValue } from '../import/invalid.ts'
import type { ImportedObject } from '../import/objects.ts'
import { TrackerError } from './http/tracker-error.ts'

/** As derivedId() spells them. */
export type Kind = 'task' | 'comment' | 'timeEntry'

/** A task, comment or time entry of the tracker. */
export interface Item {
  kind: Kind
  externalId: string
  /** The externalId of the task of a comment or of a time entry. */
  parent?: string
  /** Empty for what is counted there, but not copied, such as a comment on a pull request. */
  objects: readonly ImportedObject[]
  /** It cannot be read, and does not stop the others. */
  refused?: boolean
}

export type Access =
  | { state: 'open'; trackerId: string }
  | { state: 'moved'; trackerId: string; path: string }
  | { state: 'closed'; why: string }

/** 'unknown': it cannot be read, and the tracker does not say why. */
export type Fate = 'present' | 'deleted' | 'moved' | 'unknown'

export interface Page {
  items: readonly Item[]
  /** How many there are on all pages. */
  total: number
}

export interface Tracker {
  /** Those that refer to tasks come before them. */
  readonly kinds: readonly Kind[]
  /** A change can be read at most so long after its stamp. */
  readonly overlapSeconds: number
  /** Lists show a change at most so long after its writer was told. */
  readonly lagSeconds: number
  readonly pageSize: number
  /** True: the newest ones are on the first page. False: they are on the last one. */
  readonly newestFirst: Readonly<Record<Kind, boolean>>
  /** Whether lists are in the order of ids. Otherwise a position says nothing about what is missing. */
  readonly isOrdered: Readonly<Record<Kind, boolean>>
  access(): Promise<Access>
  /** A digest of what changes tasks without a stamp, such as names of labels, and the tracker's clock. */
  settings(): Promise<{ digest: string; now: Date }>
  /** A page, counted from 1, of everything, or of what has a stamp of `since` or later, in the order of creation. */
  page(kind: Kind, number: number, since?: Date): Promise<Page>
  fate(kind: Kind, externalId: string): Promise<Fate>
}

/** Reads the objects of a record, and says if they cannot be read. */
export function readObjects(read: () => readonly ImportedObject[]): Pick<Item, 'objects' | 'refused'> {
  try {
    return { objects: read() }
  } catch (error) {
    if (error instanceof InvalidValue) return { objects: [], refused: true }
    throw error
  }
}

/** The list has changed while it was read, so that something may have been skipped. The next round reads it again. */
export class Drifted extends Error {}

/** A project with another id has the address. */
export class AnotherProject extends TrackerError {
  constructor() {
    super('the tracker has another project at this address now', 409)
  }
}

/** The project has another address, on the same host. `path` is that of its page. */
export class Moved extends TrackerError {
  readonly trackerId: string
  readonly path: string

  constructor({ trackerId, path }: { trackerId: string; path: string }) {
    super('the tracker has moved the project', 301)
    this.trackerId = trackerId
    this.path = path
  }
}
