// Reads a page about projects that are on several nodes of a cluster: first in each place, then all together.

import type { Runner } from '../../db/pool/pool.ts'
import type { Params } from '../../db/statements/statement.ts'
import type { Page, SpreadQueries } from './page-query.ts'

/** `scope` tells which projects, as in a list on one server. */
export async function readSpread(
  { part, whole }: SpreadQueries,
  db: Runner,
  placesOf: NonNullable<Runner['placesOf']>,
  scope: Params,
  others: Params,
): Promise<Page[]> {
  const { projectId, projectIds, projectKeys } = scope
  const named = (projectId === undefined ? projectIds : [projectId]) as readonly string[] | undefined
  // Projects that are named by their keys can be anywhere.
  const places = await placesOf((projectKeys ? undefined : named) ?? null)
  const parts = await Promise.all(
    places.map(async ({ db: place, projectIds }) => {
      const here = scope['projectIds'] && !projectKeys ? { ...scope, projectIds } : scope
      const [row] = await part(place, pick({ ...here, ...others }, part.names))
      return row!.rows.slice(1, -1)
    }),
  )
  return whole(db, { ...pick(others, whole.names), parts: `[${parts.filter((part) => part !== '').join()}]` })
}

/** Either statement applies some of the parameters. */
const pick = (params: Params, names: readonly string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
