// Reads the result of sql/freshness/versions.sql: the confirmed version of each check, and the ids of its names.

import type { Source } from '../../db/database.ts'
import type { LogPosition } from '../../db/pool/pool.ts'

/** The objects that the names in a path refer to. Null if the object does not exist or the path does not name it. */
export interface NamedIds {
  projectId: string | null
  taskId: string | null
}

export interface ConfirmedVersion {
  /**
   * Covers all data in responses about the scope, and the current date. Changes whenever any of them changes. Undefined
   * if the response depends on more than was checked.
   */
  version: string | undefined
  /** Covers the record of the key, if the check was for one. */
  keyVersion: string
  /** Responses with this version are read from here. */
  source: Source
  /** False if the node of a cluster does not have all places that it should have. */
  hasPlaces: boolean
  /** The time of confirmation, by the database's clock. */
  at: string
  /** Set if the scope consists of names: the ids at the time of confirmation. */
  ids: NamedIds | undefined
}

export interface VersionsRow {
  at: string
  since: string
  directory: string
  /** Null without scopes. */
  versions: string | null
  /** Absent without replicas. Null if the server cannot say. */
  epoch?: string | null
  lsn?: string | null
  /** On a node of a cluster: those of the places that it has. */
  places?: string
  /** The version, the project and the task of each name. Absent without names. */
  named?: string
}

interface Asked {
  scope: string
  keyScope: string
  places: readonly number[]
}

type NamedRow = [version: string, projectId: string | null, taskId: string | null]

/** True if a scope consists of the names in a path; see namesInPath(). */
export const areNames = (scope: string) => scope.startsWith('/')

/** Returns a function that finds the versions of a check. */
export function readVersions(
  scopes: readonly string[],
  names: readonly string[],
  row: VersionsRow,
  sourceAt: (position: LogPosition | undefined) => Source,
) {
  const { at, since, directory, versions, epoch, lsn, places, named = '[]' } = row
  const scopeVersions = JSON.parse(versions ?? '[]') as string[]
  const byScope = new Map(scopes.map((scope, index) => [scope, `${scopeVersions[index]} ${directory} ${since}`]))
  const ids = new Map<string, NamedIds>()
  for (const [index, [version, projectId, taskId]] of (JSON.parse(named) as NamedRow[]).entries()) {
    byScope.set(names[index]!, `${version} ${directory} ${since}`)
    ids.set(names[index]!, { projectId, taskId })
  }
  const today = at.slice(0, 10)
  const source = sourceAt(epoch && lsn ? { epoch, lsn: BigInt(lsn) } : undefined)
  const here = places === undefined ? undefined : new Set(JSON.parse(places) as number[])
  return ({ scope, keyScope, places }: Asked): ConfirmedVersion => ({
    version: `${byScope.get(scope)} ${today}`,
    keyVersion: byScope.get(keyScope)!,
    source,
    hasPlaces: !here || places.every((place) => here.has(place)),
    at,
    ids: ids.get(scope),
  })
}
