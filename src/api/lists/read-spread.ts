// Reads a page about projects that are in several places: first in each place, then all together.

import type { Runner } from '../../db/pool/pool.ts'
import type { Projects } from '../../db/projects.ts'
import { query } from '../../db/statements/query.ts'
import type { Params } from '../../db/statements/template.ts'
import type { Page, SpreadQueries } from './page-query.ts'
import projectsWithKeysSql from '../../../sql/lists/projects-with-keys.sql'

const findProjects = query<{ id: string }>(projectsWithKeysSql)

/** `scope` tells which projects, as in a list on one server. */
export async function readSpread(
  { part, whole }: SpreadQueries,
  db: Projects,
  scope: Params,
  others: Params,
): Promise<Page[]> {
  const projects = scope['projectKeys'] ? await withoutKeys(db, scope) : scope
  const named = projects['projectId'] === undefined ? projects['projectIds'] : [projects['projectId']]
  const places = await db.placesOf((named as readonly string[] | undefined) ?? null)
  const parts = await Promise.all(
    places.map(async ({ db: place, projectIds }) => {
      const here = projects['projectIds'] ? { ...projects, projectIds } : projects
      const [row] = await part(place, pick({ ...here, ...others }, part.names))
      return row!.rows.slice(1, -1)
    }),
  )
  return whole(db, {
    ...pick({ ...projects, ...others }, whole.names),
    parts: `[${parts.filter((part) => part !== '').join()}]`,
  })
}

/** Only one node tells which projects have the keys: if these are changed meanwhile, the nodes could disagree. */
async function withoutKeys(db: Runner, { projectKeys, projectIds, reach, firstRows }: Params): Promise<Params> {
  const found = await findProjects(db, { projectKeys: projectKeys! })
  const named = new Set([...(projectIds as readonly string[]), ...found.map(({ id }) => id)])
  const inReach = reach as readonly string[] | undefined
  return { projectIds: [...named].filter((id) => inReach?.includes(id) ?? true), firstRows: firstRows! }
}

/** Either statement applies some of the parameters. */
const pick = (params: Params, names: readonly string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
