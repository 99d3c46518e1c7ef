// Computes what each list of the API must return, from all rows, in plain TypeScript: slow, simple, and without any
// code of the service. An item has all its fields and includes, and under "hidden" values that only filters use.

import type { Row, Tables } from './oracle-data.ts'

export interface List {
  path: string
  items: Row[]
  includes: string[]
  /** True if each item can be requested by its id. */
  single?: boolean
  /** The first is the default, with its direction. */
  sorts: string[]
  /** The values to sort by, for fields that are not sorted by their own values. */
  order?: Record<string, (value: any) => string | number>
  filters: Record<string, Filter>
}

export interface Filter {
  matches(item: Row, value: string): boolean
  /** Values to test because of this item. */
  about(item: Row): (string | null)[]
  /** True if the filter takes several values, separated by commas. */
  several: boolean
  /** More values to test. */
  also?: string[]
}

/** Converts to lower case letter by letter, as databases do, without Unicode's other rules. */
const lower = (text: string) =>
  Array.from(text, (sign) => String.fromCodePoint(sign.toLowerCase().codePointAt(0)!)).join('')
const wordsOf = remember((text) => [...(lower(text).match(/[\p{L}\p{N}]+/gu) ?? [])])
function remember<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (!known.has(text)) known.set(text, make(text))
    return known.get(text)!
  }
}
/** In nanoseconds, because filters accept them. */
const timeOf = remember((text) => {
  const [, start, fraction = '', offset] = /^(\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?)(?:\.(\d+))?(.*)$/.exec(text)!
  return BigInt(Date.parse(start + offset!)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
})
export const today = () => new Date().toISOString().slice(0, 10)

// Filters

const anyOf = (has: (item: Row) => (string | null)[], also: string[] = []): Filter => ({
  matches: (item, value) => value.split(',').some((one) => has(item).includes(one)),
  about: has,
  several: true,
  also,
})
const equal = (field: string) => anyOf((item) => [item[field] === null ? null : String(item[field])])
const unknownId = '00000000-0000-7000-8000-000000000000'
const idOf = (field: string) => anyOf((item) => [item[field]], [unknownId, `${unknownId},${unknownId}`])
const idOrNone = (field: string) => anyOf((item) => [item[field] ?? 'none'], [unknownId, `none,${unknownId}`])
const idAmong = (idsOf: (item: Row) => string[]) => anyOf(idsOf, [unknownId])
const flag = (holds: (item: Row) => boolean): Filter => ({
  ...anyOf((item) => [String(holds(item))], ['true', 'false']),
  several: false,
})
const search = (texts: (item: Row) => (string | null)[]): Filter => {
  const wordsIn = (item: Row) => texts(item).flatMap((text) => wordsOf(text ?? ''))
  const cut = (word: string, from: number, to?: number) => Array.from(word).slice(from, to).join('')
  return {
    matches: (item, q) => wordsOf(q).every((prefix) => wordsIn(item).some((word) => word.startsWith(prefix))),
    about: (item) =>
      wordsIn(item).flatMap((word, at, all) => [
        word,
        word.toUpperCase(),
        cut(word, 0, 1 + (at % 4)),
        cut(word, 1),
        `${all.at(-1)} - ${word}`,
      ]),
    several: false,
    also: ['xyzzy', 'report xyzzy', "don't", 'can DON t', 'data %', "report' & !x | :*", 'e', '2'],
  }
}
const bound = (field: string, holds: (value: bigint, limit: bigint) => boolean): Filter => ({
  matches: (item, value) => item[field] !== null && holds(timeOf(item[field]), timeOf(value)),
  about: (item) => (item[field] === null ? [] : around(Date.parse(item[field]))),
  several: false,
  also: ['0001-01-01', '0001-01-01T00:00:00+14:59', '9999-12-31', '9999-12-31T23:59:59.999999-14:59'],
})
function around(time: number): string[] {
  const [iso, before, after] = [time, time - 1, time + 1].map((ms) => new Date(ms).toISOString())
  const at = (hours: number, offset: string) => new Date(time + hours * 3_600_000).toISOString().replace('Z', offset)
  return [
    iso!,
    after!,
    iso!.replace('Z', '001Z'),
    iso!.replace('Z', '000001Z'),
    before!.replace('Z', '999Z'),
    before!.replace('Z', '999999Z'),
    at(5.5, '+05:30'),
    at(-14, '-14:00'),
    iso!.slice(0, 10),
    at(24, '').slice(0, 10),
  ]
}
const range = (name: string, field: string): Record<string, Filter> => ({
  [`${name}After`]: bound(field, (value, limit) => value >= limit),
  [`${name}Before`]: bound(field, (value, limit) => value < limit),
})
const changed = { ...range('created', 'createdAt'), ...range('updated', 'updatedAt') }

/** Without a value, "none" means it. A number can be written in several ways. */
const own = (name: string): Filter => ({
  matches: ({ fields }, value) => {
    const actual: unknown = fields[name]
    if (value === 'none' || actual === undefined) return value === 'none' && actual === undefined
    const values = Array.isArray(actual) ? (actual as unknown[]) : [actual]
    return values.some((one) => String(one) === value || (typeof one === 'number' && one === Number(value)))
  },
  about: ({ fields }) => {
    const actual: unknown = fields[name]
    if (typeof actual === 'number') return [String(actual), actual.toFixed(3)]
    return actual === undefined ? ['none'] : [actual].flat().map(String)
  },
  several: false,
  also: ['missing', '5', 'true', "'"],
})
const ownBound = (name: string, holds: (value: number | string, limit: number | string) => boolean): Filter => ({
  matches: ({ fields }, limit) => {
    const actual = fields[name] as number | string | undefined
    return actual !== undefined && holds(actual, typeof actual === 'number' ? Number(limit) : limit)
  },
  about: ({ fields }) => (fields[name] === undefined ? [] : [String(fields[name])]),
  several: false,
  also: name === 'effort' ? ['-1000000000', '1', '1.9999'] : ['0001-01-01', '9999-12-31'],
})
const ownRange = (name: string): Record<string, Filter> => ({
  [`fields.${name}>`]: ownBound(name, (value, limit) => value >= limit),
  [`fields.${name}<`]: ownBound(name, (value, limit) => value <= limit),
})

// Lists

const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const isoOf = (value: Date | null) => value?.toISOString() ?? null
const dayOf = (value: Date | null) => value?.toISOString().slice(0, 10) ?? null
const days = new Set(['start_date', 'due_date', 'spent_on'])
const numbers = new Set(['version', 'number', 'size_bytes', 'duration_seconds'])

/** Returns the named columns, formatted as in the API. */
function show(row: Row, columns: string): Row {
  const values = columns.split(' ').map((column) => {
    const value = row[column]
    const formatted =
      value instanceof Date
        ? (days.has(column) ? dayOf : isoOf)(value)
        : numbers.has(column) && value !== null
          ? Number(value)
          : value
    return [camel(column), formatted]
  })
  return Object.fromEntries(values)
}

const byText = (a: string, b: string) => {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (const [at, character] of left.entries()) {
    const other = right[at]
    if (other === undefined) return 1
    if (character !== other) return character.codePointAt(0)! - other.codePointAt(0)!
  }
  return left.length - right.length
}
const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' ? a - Number(b) : byText(a, String(b))

export function projectsOf(tables: Tables, isVisible: (id: string) => boolean): List {
  return {
    path: '/projects',
    single: true,
    items: tables['projects']!.filter(({ id }) => isVisible(id)).map((row) =>
      show(row, 'id key name description status owner_id start_date due_date created_at updated_at version'),
    ),
    includes: [],
    sorts: ['-createdAt', 'name', 'updatedAt'],
    order: { name: lower },
    filters: {
      status: equal('status'),
      q: search(({ key, name, description }) => [key, name, description]),
      ...changed,
    },
  }
}

export function listsOf(tables: Tables, project: string): List[] {
  const of = (table: string) => tables[table]!.filter((row) => row['project_id'] === project)
  const userOf = new Map(tables['users']!.map((row) => [row['id'], row]))
  const memberIds = new Set(of('project_members').map((row) => row['user_id']))
  const teamIds = new Set(of('project_teams').map((row) => row['team_id']))
  const memberships = tables['team_members']!.filter(
    (row) => memberIds.has(row['user_id']) && teamIds.has(row['team_id']),
  )
  const list = (name: string, rest: Omit<List, 'path' | 'includes'> & { includes?: string[] }): List => ({
    includes: [],
    ...rest,
    path: `/projects/${project}/${name}`,
  })
  const group = (rows: Row[], key: string) => {
    const groups = new Map<string, Row[]>()
    for (const row of rows) groups.set(row[key], [...(groups.get(row[key]) ?? []), row])
    return groups
  }

  const keyOf = new Map(tables['projects']!.map(({ id, key }) => [id, key]))
  const referenceOf = ({ project_id, number }: Row) => `${keyOf.get(project_id)}-${number}`
  const taskNames = new Map<string, string[]>()
  for (const row of [...tables['tasks']!, ...of('tasks')])
    taskNames.set(row['id'], [row['id'], String(row['number']), referenceOf(row)])
  const taskNamed = (field: string, absent: string | null) =>
    anyOf(
      (item) => (item[field] === null ? [absent] : taskNames.get(item[field])!),
      [unknownId, '99999', `${unknownId},NONE-1`],
    )
  const tagOf = new Map(of('tags').map((row) => [row['id'], show(row, 'id name color')]))
  const tagsOf = group(of('task_tags'), 'task_id')
  const watchersOf = group(of('task_watchers'), 'task_id')
  const filesOf = group(of('files'), 'comment_id')
  const day = today()

  return [
    list('users', {
      items: of('project_members').map((member) => {
        const user = userOf.get(member['user_id'])!
        const updatedAt = isoOf(user['updated_at'] > member['updated_at'] ? user['updated_at'] : member['updated_at'])
        const hidden = {
          teamIds: memberships.filter((row) => row['user_id'] === user['id']).map((row) => row['team_id']),
        }
        return { ...show(user, 'id name email active'), ...show(member, 'role joined_at'), updatedAt, hidden }
      }),
      sorts: ['name', 'joinedAt'],
      order: { name: lower },
      filters: {
        role: equal('role'),
        active: flag(({ active }) => active),
        teamId: idAmong(({ hidden }) => hidden.teamIds),
        q: search(({ name, email }) => [name, email]),
      },
    }),
    list('teams', {
      items: tables['teams']!.filter(({ id }) => teamIds.has(id)).map((row) => {
        const userIds = memberships
          .filter((membership) => membership['team_id'] === row['id'])
          .map((membership) => membership['user_id'])
        return {
          ...show(row, 'id name description created_at updated_at'),
          memberCount: userIds.length,
          hidden: { userIds },
        }
      }),
      sorts: ['name', 'createdAt'],
      order: { name: lower },
      filters: {
        q: search(({ name, description }) => [name, description]),
        userId: idAmong(({ hidden }) => hidden.userIds),
      },
    }),
    list('boards', {
      items: of('boards').map((row) => ({
        ...show(row, 'id project_id name description position archived created_at updated_at'),
        stageCount: of('stages').filter((stage) => stage['board_id'] === row['id']).length,
      })),
      sorts: ['position', 'name'],
      order: { name: lower },
      filters: { archived: flag(({ archived }) => archived) },
    }),
    list('stages', {
      items: of('stages').map((row) => ({
        ...show(row, 'id project_id board_id name position category wip_limit created_at updated_at'),
        taskCount: of('tasks').filter((task) => task['stage_id'] === row['id']).length,
      })),
      sorts: ['position'],
      filters: { boardId: idOf('boardId'), category: equal('category') },
    }),
    list('tasks', {
      single: true,
      items: of('tasks').map((row) => ({
        ...show(
          row,
          'id project_id number title description state priority board_id stage_id parent_id assignee_id assignee_ids creator_id description_format type start_date due_date estimate_seconds completed_at cancelled_at external_id external_url created_at updated_at version',
        ),
        assigneeIds: row['assignee_ids'] ?? (row['assignee_id'] ? [row['assignee_id']] : []),
        fields: row['fields'] ?? {},
        reference: referenceOf(row),
        tags: sorted(
          (tagsOf.get(row['id']) ?? []).map((tag) => tagOf.get(tag['tag_id'])!),
          'name',
          { name: lower },
        ),
        watchers: sorted(
          (watchersOf.get(row['id']) ?? []).map((watcher) => show(userOf.get(watcher['user_id'])!, 'id name')),
          'name',
          { name: lower },
        ),
      })),
      includes: ['tags', 'watchers'],
      sorts: ['-createdAt', 'updatedAt', 'dueDate', 'priority', 'number', 'completedAt'],
      order: { priority: (value) => ['none', 'low', 'medium', 'high', 'urgent'].indexOf(value) },
      filters: {
        state: equal('state'),
        stageId: idOf('stageId'),
        boardId: idOf('boardId'),
        assigneeId: anyOf(
          ({ assigneeIds }) => (assigneeIds.length > 0 ? assigneeIds : ['none']),
          [unknownId, `none,${unknownId}`],
        ),
        creatorId: idOf('creatorId'),
        watcherId: idAmong(({ watchers }) => watchers.map((user: Row) => user['id'])),
        priority: equal('priority'),
        type: {
          matches: ({ type }, value) =>
            lower(value)
              .split(',')
              .includes(type ?? 'none'),
          about: ({ type }) => [type ?? 'none', type?.toUpperCase() ?? null],
          several: true,
          also: ['none,bug', 'missing'],
        },
        ...Object.fromEntries(
          ['points', 'effort', 'sprint', 'decided', 'billed', 'labels'].map((name) => [`fields.${name}`, own(name)]),
        ),
        ...ownRange('effort'),
        ...ownRange('decided'),
        parentId: taskNamed('parentId', 'none'),
        tag: {
          matches: ({ tags }, value) =>
            lower(value)
              .split(',')
              .some((name) => tags.some((tag: Row) => lower(tag['name']) === name)),
          about: ({ tags }) =>
            tags.flatMap(({ name }: Row) => [
              name,
              lower(name),
              name.toUpperCase().length === name.length ? name.toUpperCase() : null,
            ]),
          several: true,
          also: ['missing', 'Bug,missing', '%', 'bu'],
        },
        externalId: anyOf(({ externalId }) => [externalId], ['none', 'A/B#1']),
        reference: anyOf(({ reference }) => [reference], ['NONE-1', 'NONE-1,NONE-2']),
        number: { ...equal('number'), also: ['999999999999999', '1,999999999999999'] },
        overdue: flag(({ state, dueDate }) => state === 'open' && dueDate !== null && dueDate < day),
        q: search(({ title, description }) => [title, description]),
        ...range('due', 'dueDate'),
        ...range('completed', 'completedAt'),
        ...changed,
      },
    }),
    list('comments', {
      single: true,
      items: of('comments').map((row) => ({
        ...show(row, 'id project_id task_id author_id body body_format created_at updated_at'),
        files: sorted(
          (filesOf.get(row['id']) ?? []).map((file) =>
            show(file, 'id name mime_type size_bytes sha256 url created_at'),
          ),
          'createdAt',
        ),
      })),
      includes: ['files'],
      sorts: ['-createdAt', 'updatedAt'],
      filters: {
        taskId: taskNamed('taskId', null),
        authorId: idOf('authorId'),
        hasFiles: flag(({ files }) => files.length > 0),
        q: search(({ body }) => [body]),
        ...changed,
      },
    }),
    list('files', {
      single: true,
      items: of('files').map((row) =>
        show(
          row,
          'id project_id task_id comment_id creator_id name mime_type size_bytes sha256 url created_at updated_at',
        ),
      ),
      sorts: ['-createdAt', 'updatedAt'],
      filters: {
        taskId: taskNamed('taskId', null),
        commentId: idOrNone('commentId'),
        creatorId: idOf('creatorId'),
        ...changed,
      },
    }),
    list('time-entries', {
      single: true,
      items: of('time_entries').map((row) =>
        show(
          row,
          'id project_id task_id user_id description spent_on started_at ended_at duration_seconds timed billable created_at updated_at',
        ),
      ),
      sorts: ['-startedAt', 'spentOn', 'updatedAt'],
      filters: {
        taskId: taskNamed('taskId', 'none'),
        userId: idOf('userId'),
        billable: flag(({ billable }) => billable),
        running: flag(({ endedAt }) => endedAt === null),
        ...range('spent', 'spentOn'),
        ...range('started', 'startedAt'),
        ...changed,
      },
    }),
    list('documents', {
      single: true,
      items: of('documents').map((row) =>
        show(
          row,
          'id project_id path title task_id author_id size_bytes word_count headings sha256 revision created_at updated_at',
        ),
      ),
      sorts: ['path', 'updatedAt', 'title'],
      order: { title: lower },
      filters: {
        taskId: taskNamed('taskId', null),
        authorId: idOf('authorId'),
        pathPrefix: {
          matches: ({ path }, value) => path.startsWith(value),
          about: ({ path }) => [path, path.slice(0, 4), path.slice(0, path.indexOf('/') + 1) || 'x', path.slice(0, 8)],
          several: false,
          also: ['%', '_', 'docs/a_', 'docs/a%', '\\', 'a\\', 'zzz', '/'],
        },
        q: search(({ path, title }) => [path, title]),
        ...changed,
      },
    }),
  ]
}

/** The lists of the tasks and of the time entries across projects. */
export function listsAcross(tables: Tables, projects: string[], foreign: string): List[] {
  const listAcross = (name: string, sorts: string[]): List => {
    const lists = projects.map((project) => listsOf(tables, project).find(({ path }) => path.endsWith(`/${name}`))!)
    const { includes, filters } = lists[0]!
    const projectId = { ...idOf('projectId'), also: [foreign, `${foreign},${projects[0]}`, projects.join()] }
    return {
      path: `/${name}`,
      includes,
      items: lists.flatMap(({ items }) => items),
      sorts,
      // With one project, it cannot match only some of the rows.
      filters: projects.length > 1 ? { projectId, ...filters } : filters,
    }
  }
  return [
    listAcross('tasks', ['-createdAt', 'updatedAt', 'dueDate']),
    listAcross('time-entries', ['-startedAt', 'updatedAt']),
  ]
}

/** Sorts nulls last in both directions, and ties by id in the direction of the sort. */
export function sorted(items: Row[], sort: string, order: List['order'] = {}): Row[] {
  const field = sort.replace('-', '')
  const sign = sort.startsWith('-') ? -1 : 1
  const valueOf = (item: Row) => (item[field] === null ? null : (order[field] ?? ((value) => value))(item[field]))
  return items
    .map((item) => ({ item, value: valueOf(item) }))
    .sort((a, b) => {
      if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1
      return (
        sign *
        ((a.value === null || b.value === null ? 0 : compare(a.value, b.value)) || compare(a.item['id'], b.item['id']))
      )
    })
    .map(({ item }) => item)
}

export interface Query {
  filters: Record<string, string>
  sort: string
  include: string[]
}

/** Each list in each order. Filters can be applied later, as they do not change the order of the remaining rows. */
const orders = new Map<List, Record<string, Row[]>>()
function inOrder(list: List, sort: string): Row[] {
  const known = orders.get(list) ?? {}
  orders.set(list, known)
  return (known[sort] ??= sorted(list.items, sort, list.order))
}

export function expectedItems(list: List, { filters, sort, include }: Query): Row[] {
  const predicates = Object.entries(filters).map(
    ([name, value]) =>
      (item: Row) =>
        list.filters[name]!.matches(item, value),
  )
  const omitted = ['hidden', ...list.includes.filter((name) => !include.includes(name))]
  return inOrder(list, sort)
    .filter((item) => predicates.every((matches) => matches(item)))
    .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !omitted.includes(name))))
}
