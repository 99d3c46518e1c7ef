// People, projects, boards and stages, which objects only mention: they become rows when they are mentioned for the first time.

import { deriveKeyBase } from '../api/input/object-names.ts'
import { derivedId } from './derived-id.ts'
import { InvalidValue } from './invalid.ts'
import type { Person, Project, StageRef, Task } from './objects.ts'
import { staged, type Kind, type StagedRow } from './staged.ts'

export const noProjectId = '00000000-0000-0000-0000-000000000000'

interface KnownPerson {
  name: string | undefined
  email: string | undefined
}

export type Mentions = ReturnType<typeof createMentions>

/** `projectKey` is the value of --project. */
export function createMentions(projectKey: string | undefined, add: (row: StagedRow) => void) {
  const people = new Map<string, KnownPerson>()
  const mentioned = new Set<string>()
  const ids = new Map<string, string>()
  const projectNames = new Set<string>()

  /** Derives the id of something that many objects mention. */
  function idOf(source: string, kind: string, externalId: string): string {
    const name = `${source}\0${kind}\0${externalId}`
    let id = ids.get(name)
    if (id === undefined) ids.set(name, (id = derivedId(source, kind, externalId)))
    return id
  }

  /** True for the first time. */
  function mention(projectId: string, id: string): boolean {
    const name = `${projectId} ${id}`
    const isFirst = !mentioned.has(name)
    mentioned.add(name)
    return isFirst
  }

  function once(kind: Kind, projectId: string, id: string, data: () => object) {
    if (mention(projectId, id)) add(staged(kind, projectId, id, data()))
  }

  /** If several projects of the tool become one, its name is that of none of them. */
  function chosenProject(key: string, project: Project | undefined): string {
    const id = idOf('', 'project', key)
    const known = projectNames.size
    projectNames.add(project?.name ?? key)
    const { name = key, description } = project ?? {}
    if (known === 0 && projectNames.size === 1) add(staged('project', id, id, { name, key, byKey: true, description }))
    if (known === 1 && projectNames.size === 2) add(staged('project', id, id, { name: key, key, byKey: true }))
    return id
  }

  return {
    idOf,
    mention,
    once,
    hasMentioned: (projectId: string) => mentioned.has(`${projectId} ${projectId}`),

    project({ source, project }: Pick<Task, 'source' | 'project'>): string {
      if (projectKey !== undefined) return chosenProject(projectKey, project)
      if (!project) throw new InvalidValue('project', '', 'is not in the file: name it, such as --project WEB')
      const { name, key, byKey, description } = project
      const id = idOf(toolOf(source), 'project', project.id)
      once('project', id, id, () => ({ name, key, byKey, keyBase: deriveKeyBase(name), description }))
      return id
    },

    /** Later objects may know a person better. */
    person(source: string, { login, email, name }: Person): string {
      const id = idOf(toolOf(source), 'user', (login || email || name || '').toLowerCase())
      const known = people.get(id)
      const merged = merge(known, { login, email, name })
      if (known && known.name === merged.name && known.email === merged.email) return id
      people.set(id, merged)
      const shown = merged.name ?? merged.email?.replace(/@.*/, '') ?? login ?? email
      // The source may know only the login, and another one, such as another export of the same tool, the name.
      const isLogin = merged.name === undefined || merged.name.toLowerCase() === login?.toLowerCase()
      add(staged('user', noProjectId, id, { name: shown, email: merged.email, isLogin: isLogin || undefined }))
      return id
    },

    stage(source: string, projectId: string, stage: StageRef, position?: number) {
      const { board = '', name, id = name, category } = stage
      const boardName = stage.boardId ?? board
      const boardId = idOf(source, 'board', boardName)
      once('board', projectId, boardId, () => ({ name: board || 'Board', isFirst: board === '' }))
      const stageId = idOf(source, 'stage', `${boardName}\0${id}`)
      once('stage', projectId, stageId, () => ({ boardId, name, category, position }))
      return stageId
    },
  }
}

function merge(known: KnownPerson | undefined, { login, email, name }: Person): KnownPerson {
  const address = email && email.length <= 320 && /^[^@\s]+@[^@\s]+$/.test(email) ? email : undefined
  // A name that is only the login again is replaced by a better one.
  const isLogin = (text: string) => text.toLowerCase() === login?.toLowerCase()
  const isBetter = !!name && (known?.name === undefined || (isLogin(known.name) && !isLogin(name)))
  return { name: isBetter ? name : known?.name, email: known?.email ?? address }
}

const toolOf = (source: string) => source.split(':')[0]!
