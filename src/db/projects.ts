// Where statements about projects run: on one server, which sees all of them, or in the places of a cluster.

import type { Owner } from './pool/connection-shares.ts'
import { ownedBy, type Runner } from './pool/pool.ts'

/** Statements about one project, or about users, teams and keys, simply run. Others ask where the projects are. */
export interface Projects extends Runner {
  /** The places of some projects, or all places, among those that the confirmed version covers. */
  placesOf: FindPlaces
  /** The same for all projects, as they are now: everything that was acknowledged before has been committed there. */
  placesNow: FindPlaces
  /** The journals that name changes of projects. The first one also names users, teams and what keys select. */
  journals(): Promise<Journal[]>
}

export type FindPlaces = (projectIds: readonly string[] | null) => Promise<Place[]>

export interface Place {
  number: number
  db: Runner
  /** Those that were asked for. */
  projectIds: readonly string[]
}

export interface Journal {
  /** The number of its node. */
  node: number
  db: Runner
  /** True if the objects that it names can be read in the same statement. */
  isWithObjects: boolean
}

/** All projects, on one server. */
export function allIn({ run }: Runner): Projects {
  const findPlaces: FindPlaces = async (projectIds) => [{ number: 0, db: { run }, projectIds: projectIds ?? [] }]
  return {
    run,
    placesOf: findPlaces,
    placesNow: findPlaces,
    journals: async () => [{ node: 0, db: { run }, isWithObjects: true }],
  }
}

/** As ownedBy(). */
export function projectsOwnedBy(projects: Projects, owner: Owner, onStart?: () => void): Projects {
  const owned = async <Part extends { db: Runner }>(parts: Promise<Part[]>) =>
    (await parts).map((part) => ({ ...part, db: ownedBy(part.db, owner, onStart) }))
  return {
    ...ownedBy(projects, owner, onStart),
    placesOf: (projectIds) => owned(projects.placesOf(projectIds)),
    placesNow: (projectIds) => owned(projects.placesNow(projectIds)),
    journals: () => owned(projects.journals()),
  }
}
