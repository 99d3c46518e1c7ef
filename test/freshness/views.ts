// What is asked for again and again: addresses of every endpoint, with what their answers show of registers.

import { routes } from '../../src/routes.ts'
import { bareId, movingId, projectIds, sideIds } from './ids.ts'
import { projectViews } from './project-views.ts'
import type { Register } from './registers.ts'
import type { KeyName, World } from './register-world.ts'
import { sideViews, worldViews } from './world-views.ts'

/** A register, and what a body shows of it. */
export type Shown = readonly [register: Register, read: (body: any) => number]
/** That a register is not there is said by this status; that it is, by a good one. */
export type Refusal = readonly [status: number, register: Register]

export interface View {
  route: string
  path: string
  /** Without, any key that reaches everything. */
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
  const [ofWorld, projectScope, ofSide] = [worldViews[route], projectViews[route], sideViews[route]]
  if (ofWorld) return ofWorld(world)
  // Whoever adds an endpoint says what it shows.
  if (!projectScope) throw new Error(`test/freshness has to say what GET ${route} shows`)
  const inProjects = projectIds.map((id) =>
    projectScope(`/projects/${id}`, (kind) => world.register(kind, id), id, world),
  )
  const inSides = sideIds.flatMap((id) => {
    const side = world.register('side', id)
    const [path, read] = ofSide?.(id) ?? []
    return path ? [{ path, shows: read ? [[side, read] as const] : [], refusals: [[404, side] as const] }] : []
  })
  const isThereAtAll = ([kind, id]: [string, string]) => ({
    path: `/projects/${id}/${route.split('/')[3] ?? ''}`.replace(/\/$/, ''),
    shows: [],
    refusals: [[404, world.register(kind, id)] as const],
  })
  const ofProjectsAlone = /^\/projects\/:projectId(\/(users|boards))?$/.test(route)
    ? [['bare project', bareId] as [string, string], ['moving project', movingId] as [string, string]].map(isThereAtAll)
    : []
  const [one, two] = inProjects as [ViewOf[], ViewOf[]]
  return [
    ...inProjects.flat(),
    ...inSides,
    ...ofProjectsAlone,
    ...two.map((view) => byKey(view, 'rescoped', 403, world)),
    ...(['revoked', 'expiring', 'deleted'] as const).map((key) => byKey(one[0]!, key, 401, world)),
  ]
}

/** The same by a key that is refused now and then. */
function byKey(view: ViewOf, key: KeyName, status: number, world: World): ViewOf {
  return { ...view, key, refusals: [...(view.refusals ?? []), [status, world.register(`key ${key}`)]] }
}
