// Turns the objects of formats into rows with ids of this service. People, projects, boards and stages, which objects
// only mention, become rows when they are mentioned for the first time.

import { deriveKeyBase } from '../api/input/object-names.ts'
import { maxTags, maxWatchers } from '../api/input/values.ts'
import { copiedValues } from '../resources/tasks/copied-input.ts'
import { derivedId } from './derived-id.ts'
import { InvalidValue } from './invalid.ts'
import type {
  Comment,
  Exported,
  ImportedObject,
  Note,
  Person,
  Project,
  Stage,
  StageRef,
  Tag,
  Task,
  TimeEntry,
} from './objects.ts'
import { staged, type Kind, type StagedRow } from './staged.ts'

export const noProjectId = '00000000-0000-0000-0000-000000000000'

type Origin = Pick<Task, 'source' | 'project'>

/** `projectKey` is the value of --project. `note` counts notes for the user. */
export function createIdentifier(projectKey: string | undefined, note: (text: string) => void) {
  /** People by their ids, and the projects and stages that have been mentioned. */
  const people = new Map<string, { name: string | undefined; email: string | undefined }>()
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

  function once(rows: StagedRow[], kind: Kind, projectId: string, id: string, data: () => object) {
    const name = `${projectId} ${id}`
    if (mentioned.has(name)) return
    mentioned.add(name)
    rows.push(staged(kind, projectId, id, data()))
  }

  function projectOf(rows: StagedRow[], { source, project }: Origin): string {
    if (projectKey !== undefined) return chosenProject(rows, projectKey, project)
    if (!project) throw new InvalidValue('project', '', 'is not in the file: name it, such as --project WEB')
    const { name, key, byKey, description } = project
    const id = idOf(toolOf(source), 'project', project.id)
    once(rows, 'project', id, id, () => ({ name, key, byKey, keyBase: deriveKeyBase(name), description }))
    return id
  }

  /** If several projects of the tool become one, its name is that of none of them. */
  function chosenProject(rows: StagedRow[], key: string, project: Project | undefined): string {
    const id = idOf('', 'project', key)
    const known = projectNames.size
    projectNames.add(project?.name ?? key)
    const { name = key, description } = project ?? {}
    if (known === 0 && projectNames.size === 1)
      rows.push(staged('project', id, id, { name, key, byKey: true, description }))
    if (known === 1 && projectNames.size === 2) rows.push(staged('project', id, id, { name: key, key, byKey: true }))
    return id
  }

  function personOf(rows: StagedRow[], source: string, { login, email, name }: Person): string {
    const id = idOf(toolOf(source), 'user', (login || email || name || '').toLowerCase())
    const known = people.get(id)
    const address = email && email.length <= 320 && /^[^@\s]+@[^@\s]+$/.test(email) ? email : undefined
    // A name that is only the login again is replaced by a better one.
    const isKnown = known?.name !== undefined && known.name.toLowerCase() !== login?.toLowerCase()
    const isBetter = !!name && (known?.name === undefined || (!isKnown && name.toLowerCase() !== login?.toLowerCase()))
    const merged = { name: isBetter ? name : known?.name, email: known?.email ?? address }
    if (known && known.name === merged.name && known.email === merged.email) return id
    people.set(id, merged)
    const shown = merged.name ?? merged.email?.replace(/@.*/, '') ?? login ?? email
    rows.push(staged('user', noProjectId, id, { name: shown, email: merged.email }))
    return id
  }

  const personOrNull = (rows: StagedRow[], source: string, person: Person | null | undefined) =>
    person && personOf(rows, source, person)

  function stageOf(rows: StagedRow[], source: string, projectId: string, stage: StageRef, position?: number): string {
    const { board = '' } = stage
    const boardId = idOf(source, 'board', board)
    once(rows, 'board', projectId, boardId, () => ({ name: board || 'Board', isFirst: board === '' }))
    const id = idOf(source, 'stage', `${board}\0${stage.id ?? stage.name}`)
    once(rows, 'stage', projectId, id, () => ({ boardId, name: stage.name, category: stage.category, position }))
    return id
  }

  function identifyTask(rows: StagedRow[], task: Task) {
    const { source, externalId, assignees, watchers, stage, parent, parentSource = source, tags, creator } = task
    const projectId = projectOf(rows, task)
    const [assignee, ...others] = assignees?.map((person) => personOf(rows, source, person)) ?? []
    if (others.length > 0)
      note('tasks had several assignees (the first one is the assignee, the others watch the task)')
    const watching = watchers?.map((person) => personOf(rows, source, person))
    const isWatched = watching !== undefined || others.length > 0
    const { number, state, priority, completedAt, cancelledAt } = task
    rows.push(
      staged('task', projectId, derivedId(source, 'task', externalId), {
        number,
        state,
        priority,
        ...copiedValues(task),
        completedAt,
        cancelledAt,
        ...withShortTitle(task, note),
        externalId,
        createdAt: task.createdAt,
        updatedAt: task.updatedAt,
        stageId: stage && stageOf(rows, source, projectId, stage),
        parentId: parent && derivedId(parentSource, 'task', parent),
        assigneeId: assignees && (assignee ?? null),
        creatorId: personOrNull(rows, source, creator),
        tags:
          tags &&
          firstOf(
            identifyTags(tags, (name) => idOf(source, 'tag', name), note),
            maxTags,
            'tags',
          ),
        watcherIds: isWatched
          ? firstOf([...new Set([...(watching ?? []), ...others])], maxWatchers, 'watchers')
          : undefined,
      }),
    )
  }

  function identifyComment(rows: StagedRow[], comment: Comment) {
    const { source, externalId, task, author, body, createdAt, updatedAt, files } = comment
    if (body.trim() === '') return note('comments without text were left out')
    rows.push(
      staged('comment', projectOf(rows, comment), derivedId(source, 'comment', externalId), {
        taskId: derivedId(source, 'task', task),
        authorId: personOrNull(rows, source, author),
        body,
        createdAt,
        updatedAt,
        files: files?.map(({ externalId, ...file }) => ({ id: derivedId(source, 'file', externalId), ...file })),
      }),
    )
  }

  function identifyTimeEntry(rows: StagedRow[], entry: TimeEntry) {
    const { source, externalId, task, user, description, spentOn, startedAt, endedAt, billable } = entry
    rows.push(
      // The id depends on this spelling, which therefore stays.
      staged('time_entry', projectOf(rows, entry), derivedId(source, 'timeEntry', externalId), {
        taskId: derivedId(source, 'task', task),
        userId: personOf(rows, source, user),
        description,
        spentOn,
        startedAt,
        endedAt,
        billable,
      }),
    )
  }

  /** Tasks cannot be created with more through the API either. */
  function firstOf<T>(list: readonly T[], max: number, what: string): readonly T[] {
    if (list.length > max) note(`tasks had more than ${max} ${what} (the first ${max} are kept)`)
    return list.slice(0, max)
  }

  function withShortLists(data: { tags?: unknown; watcherIds?: unknown }): object {
    const { tags, watcherIds } = data
    return {
      ...data,
      ...(Array.isArray(tags) && { tags: firstOf(tags, maxTags, 'tags') }),
      ...(Array.isArray(watcherIds) && { watcherIds: firstOf(watcherIds, maxWatchers, 'watchers') }),
    }
  }

  const identifyStage = (rows: StagedRow[], { position, ...stage }: Stage) =>
    void stageOf(rows, stage.source, projectOf(rows, stage), stage, position)

  let exportedProjectId: string | undefined
  /** With --project, the rows of the only project in the file go to that one. */
  function placeOf(exportedId: string): string {
    if (projectKey === undefined) return exportedId
    exportedProjectId ??= exportedId
    if (exportedId !== exportedProjectId)
      throw new InvalidValue('projectId', exportedId, 'is that of another project than before: leave out --project')
    return idOf('', 'project', projectKey)
  }

  function identifyExported(rows: StagedRow[], { line: { kind, id, projectId, ...data } }: Exported) {
    if (kind === 'user' || kind === 'team') return rows.push(staged(kind, noProjectId, id, data))
    if (kind === 'project') {
      const place = placeOf(id)
      mentioned.add(`${place} ${place}`)
      const chosen = projectKey === undefined ? {} : { key: projectKey, byKey: true }
      return rows.push(staged(kind, place, place, { ...data, ...chosen }))
    }
    if (projectId === undefined) throw new InvalidValue('projectId', '', 'is missing')
    const place = placeOf(projectId)
    if (projectKey !== undefined)
      once(rows, 'project', place, place, () => ({ name: projectKey, key: projectKey, byKey: true }))
    else if (!mentioned.has(`${place} ${place}`))
      throw new InvalidValue('projectId', projectId, 'is that of no project before it: name one, such as --project WEB')
    return rows.push(staged(kind, place, id, kind === 'task' ? withShortLists(data) : data))
  }

  /** Up to three values of each text are named. */
  const noted = new Map<string, Set<string>>()
  function textOf({ text, value }: Note): string {
    if (value === undefined) return text
    const values = noted.get(text) ?? new Set()
    noted.set(text, values)
    if (values.size < 3) values.add(value)
    return `${text} (${values.has(value) ? `"${value}"` : 'others'})`
  }

  /**
   * Adds the rows that the object and everything that it mentions need. If the object is invalid, what it mentions remains:
   * it is not added again.
   */
  return (object: ImportedObject, rows: StagedRow[]): void => {
    if (object.kind === 'note') note(textOf(object))
    else if (object.kind === 'exported') identifyExported(rows, object)
    else if (object.kind === 'task') identifyTask(rows, object)
    else if (object.kind === 'comment') identifyComment(rows, object)
    else if (object.kind === 'time_entry') identifyTimeEntry(rows, object)
    else identifyStage(rows, object)
  }
}

const toolOf = (source: string) => source.split(':')[0]!

const maxTitle = 500

/** A longer title also begins the description, so that nothing is lost. */
function withShortTitle({ title, description }: Task, note: (text: string) => void) {
  const signs = Array.from(title)
  if (signs.length <= maxTitle) return { title, description }
  note(`titles of more than ${maxTitle} characters were cut (the whole title begins the description)`)
  return {
    title: `${signs.slice(0, maxTitle - 1).join('')}…`,
    description: [title, description].filter(Boolean).join('\n\n'),
  }
}

/** Names of tags contain no comma. They are compared regardless of case. */
function identifyTags(tags: readonly Tag[], idOf: (name: string) => string, note: (text: string) => void) {
  const byName = new Map<string, { id: string; name: string; color: string | undefined }>()
  for (const { name, color } of tags) {
    const cleaned = name
      .split(',')
      .map((part) => part.trim())
      .join(' ')
      .trim()
    const short = Array.from(cleaned).slice(0, 100).join('').trim()
    if (short === '') continue
    if (short !== name.trim()) note('tags with a comma or more than 100 characters were renamed')
    const folded = short.toLowerCase()
    if (!byName.has(folded)) byName.set(folded, { id: idOf(folded), name: short, color })
  }
  return [...byName.values()]
}
