// The views that are requested repeatedly: paths of every endpoint, and the register values that their responses show.

import { routes } from '../../src/routes.ts'
import { bareId, movingId, projectIds, transientIds } from './ids.ts'
import { nameViews } from './name-views.ts'
import { projectViews } from './project-views.ts'
import type { Register } from './registers.ts'
import type { KeyName, World } from './register-world.ts'
import { verificationViews } from './verification-views.ts'
import { transientViews, worldViews } from './world-views.ts'

/** A register, and the function that reads its value from a body. */
export type Shown = readonly [register: Register, read: (body: any) => number]
/** The status if the row of the register does not exist. If it exists, the status is 200. */
export type Refusal = readonly [status: number, register: Register]

export interface View {
  route: string
  path: string
  /** By default, any key that can access everything. */
  key?: KeyName
  shows: Shown[]
  refusals: Refusal[]
}

export type ViewOf = Pick<View, 'path' | 'shows'> & Partial<View>

export const readRoutes = routes.filter(([method]) => method === 'GET').map(([, path]) => path)

export function createViews(world: World): View[] {
  return readRoutes.flatMap((route) => viewsOf(route, world).map((view) => ({ refusals: [], ...view, route })))
}

function viewsOf(route: string, world: World): ViewOf[] {
  const [worldViewsOf, projectViewsOf, transientViewOf] = [
    worldViews[route],
    projectViews[route],
    transientViews[route],
  ]
  const namedViews = nameViews[route]?.(world) ?? []
  if (worldViewsOf) return [...worldViewsOf(world), ...namedViews]
  if (!projectViewsOf) throw new Error(`GET ${route} has no views: add them in test/freshness`)
  const inProjects = projectIds.map((id) =>
    [projectViewsOf, verificationViews[route]].flatMap(
      (of) => of?.(`/projects/${id}`, (kind) => world.register(kind, id), id, world) ?? [],
    ),
  )
  const inTransients = transientIds.flatMap((id) => {
    const transient = world.register('transient', id)
    const [path, read] = transientViewOf?.(id) ?? []
    return path
      ? [{ path, shows: read ? [[transient, read] as const] : [], refusals: [[404, transient] as const] }]
      : []
  })
  const existence = ([kind, id]: [string, string]) => ({
    path: `/projects/${id}/${route.split('/')[3] ?? ''}`.replace(/\/$/, ''),
    shows: [],
    refusals: [[404, world.register(kind, id)] as const],
  })
  const inBareProjects = /^\/projects\/:projectId(\/(users|boards))?$/.test(route)
    ? [['bare project', bareId] as [string, string], ['moving project', movingId] as [string, string]].map(existence)
    : []
  const [one, two] = inProjects as [ViewOf[], ViewOf[]]
  return [
    ...inProjects.flat(),
    ...inTransients,
    ...inBareProjects,
    ...namedViews,
    ...two.map((view) => byKey(view, 'rescoped', 403, world)),
    ...(['revoked', 'expiring', 'deleted'] as const).map((key) => byKey(one[0]!, key, 401, world)),
  ]
}

/** The same view with a key that is sometimes refused. */
function byKey(view: ViewOf, key: KeyName, status: number, world: World): ViewOf {
  return { ...view, key, refusals: [...(view.refusals ?? []), [status, world.register(`key ${key}`)]] }
}
