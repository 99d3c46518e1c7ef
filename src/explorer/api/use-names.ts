// The names of what tasks only refer to by id: the people, stages and boards of a project, or the projects themselves.

import { useMemo } from 'preact/hooks'
import type { Board, Page, Project, Stage, User } from './types.ts'
import { useAll } from './use-read.ts'

export interface Names {
  users: User[]
  stages: Stage[]
  boards: Board[]
  projects: Project[]
  person(id: string): string
  stage(id: string): string
  board(id: string): string
  /** By id or key. */
  project(name: string): string
}

/** Undefined while they are being read. */
interface Lists {
  users: Page<User> | undefined
  stages: Page<Stage> | undefined
  boards: Page<Board> | undefined
  projects: Page<Project> | undefined
}

/** For lists that are not read. */
const unread = { data: [], meta: { limit: 0, nextCursor: null, hasMore: true } }

export function useNames(project: string): Names {
  const path = `/projects/${encodeURIComponent(project)}`
  const { body: users } = useAll<User>(`${path}/users?limit=200`)
  const { body: stages } = useAll<Stage>(`${path}/stages?limit=200`)
  const { body: boards } = useAll<Board>(`${path}/boards?limit=200`)
  return useMemo(() => createNames({ users, stages, boards, projects: unread }), [users, stages, boards])
}

/** Across projects, the API has no names of people, stages and boards. */
export function useProjectNames(): Names {
  const { body: projects } = useAll<Project>('/projects?limit=200')
  return useMemo(() => createNames({ users: unread, stages: unread, boards: unread, projects }), [projects])
}

function createNames({ users, stages, boards, projects }: Lists): Names {
  const projectName = nameIn(projects, 'a project', 'an unknown project')
  return {
    users: users?.data ?? [],
    stages: stages?.data ?? [],
    boards: boards?.data ?? [],
    projects: projects?.data ?? [],
    person: nameIn(users, 'somebody', 'a former member'),
    stage: nameIn(stages, 'a stage', 'a former stage'),
    board: nameIn(boards, 'a board', 'a former board'),
    project: (name) => (isId(name) ? projectName(name) : name.toUpperCase()),
  }
}

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** `unknown` is the name of an item that may be in the part of the list that is not read, and `former` of any other. */
function nameIn<Item extends { id: string; name: string }>(
  list: Page<Item> | undefined,
  unknown: string,
  former: string,
): (id: string) => string {
  const names = new Map(list?.data.map(({ id, name }) => [id, name]))
  const other = list?.meta.hasMore ? unknown : former
  return (id) => names.get(id.toLowerCase()) ?? (list === undefined ? '…' : other)
}
