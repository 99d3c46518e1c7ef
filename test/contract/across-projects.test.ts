// The lists of tasks and time entries across projects: their scope, the filter by project, sorts and cursors. The oracle
// compares their items.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeCursor } from '../../src/api/lists/cursor.ts'
import { parseQuery } from '../../src/api/input/query-string.ts'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, missing, old, web } from '../support/data.ts'
import { api } from '../support/workgate.ts'

type Row = Record<string, unknown>

const { workgate, get } = await contractSuite({ data: 'strangers' })

const gone = id('project', 4)
await workgate.sql`insert into workgate.projects (id, key, name) values (${gone}, 'GONE', 'Gone')`
const keys = {
  all: await workgate.issueKey('all'),
  web: await workgate.issueKey('web', { projects: [web] }),
  two: await workgate.issueKey('two', { projects: [web, old] }),
  gone: await workgate.issueKey('gone', { projects: [gone] }),
  none: await workgate.issueKey('none', { projects: [] }),
}
await workgate.sql`delete from workgate.projects where id = ${gone}`

/** Projects for cursors, with a task each, and a key for both. */
const [left, right] = [id('project', 21), id('project', 22)]
await workgate.sql`
  insert into workgate.projects (id, key, name) values (${left}, 'LEFT', 'Left'), (${right}, 'RIGHT', 'Right')`
await workgate.sql`
  insert into workgate.tasks (project_id, title, created_at) select p, 'x', timestamptz '2026-01-01' + n * interval '1 second'
  from unnest(${[left, left, right]}::uuid[]) with ordinality as p (p, n)`
const narrow = await workgate.issueKey('narrow', { projects: [left, right] })

const lists = ['/tasks', '/time-entries']
const rowsIn = async (list: string, projects: string[] | null): Promise<string[]> => {
  const table = list === '/tasks' ? 'tasks' : 'time_entries'
  const rows = await workgate.sql`
    select id from ${workgate.sql(`workgate.${table}`)}
    where ${projects === null} or project_id = any (${projects ?? []}::uuid[])`
  return rows.map((row) => row['id'])
}

// prettier-ignore
const scopes: [claim: string, key: keyof typeof keys, search: string, projects: string[] | null][] = [
  ['a key for all projects reads all rows',                 'all',  '',                                         null],
  ['a key for one project reads its rows',                  'web',  '',                                         [web]],
  ['a key for two projects reads the rows of both',         'two',  '',                                         [web, old]],
  ['a key for a deleted project reads nothing',             'gone', '',                                         []],
  ['a key for no project reads nothing',                    'none', '',                                         []],
  ['a filter by one project',                               'all',  `?projectId=${app}`,                        [app]],
  ['a filter by several projects, in upper case',           'all',  `?projectId=${app},${web}`.toUpperCase().replace('PROJECTID', 'projectId'), [web, app]],
  ['a filter by one of two projects',                       'two',  `?projectId=${web}`,                        [web]],
  ['a project outside the scope finds nothing',             'two',  `?projectId=${app}`,                        []],
  ['a project outside the scope of a key for one',          'web',  `?projectId=${app}`,                        []],
  ['an unknown project finds nothing',                      'two',  `?projectId=${missing}`,                    []],
  ['an unknown project finds nothing for all projects',     'all',  `?projectId=${missing}`,                    []],
  ['of several projects, those in scope count',             'two',  `?projectId=${app},${missing},${web},${old}`, [web, old]],
  ['of several projects, the one in scope counts',          'web',  `?projectId=${app},${missing},${web}`,      [web]],
  ['a filter by the key of a project',                      'all',  '?projectId=APP',                           [app]],
  ['a filter by keys and ids, which may be the same',       'all',  `?projectId=APP,${web},WEB`,                [web, app]],
  ['a filter by the key of one of two projects',            'two',  '?projectId=WEB',                           [web]],
  ['a key outside the scope finds nothing',                 'two',  '?projectId=APP',                           []],
  ['of several keys, the one in scope counts',              'web',  '?projectId=APP,WEB,NONE',                  [web]],
  ['an id outside the scope is none next to a key',         'web',  `?projectId=${app},WEB`,                    [web]],
  ['an unknown key finds nothing',                          'all',  '?projectId=NONE',                          []],
  ['any project is outside the scope of a key without one', 'none', `?projectId=${web}`,                        []],
  ['so is any project by its key',                          'none', '?projectId=WEB',                           []],
]

for (const list of lists) {
  describe(`GET ${list}`, () => {
    for (const [claim, key, search, projects] of scopes) {
      test(claim, async () => {
        const { status, body } = await get(`${list}${search}`, keys[key])
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual(body.data.map((item: { id: string }) => item.id).sort(), (await rowsIn(list, projects)).sort())
      })
    }

    test('a foreign project and an unknown one get the same response', async () => {
      const [foreign, unknown] = [
        await get(`${list}?projectId=${app}`, keys.web),
        await get(`${list}?projectId=${missing}`, keys.web),
      ]
      assert.equal(foreign.text, unknown.text)
      assert.equal(foreign.headers['etag'], unknown.headers['etag'])
    })

    for (const [search, name] of [
      ['projectId=x', 'projectId'],
      ['projectId=', 'projectId'],
      [`projectId=${web},`, 'projectId'],
      ['projectId=none', 'projectId'],
      ['projectId=WEB-1', 'projectId'],
      [`projectId=${Array(101).fill(web).join()}`, 'projectId'],
      ['sort=number', 'sort'],
      ['sort=priority', 'sort'],
      ['sort=spentOn', 'sort'],
      ['unknown=1', 'unknown'],
      ['cursor=x', 'cursor'],
    ] as const) {
      test(`${search.slice(0, 60)} is refused`, async () => {
        const { status, body } = await get(`${list}?${search}`, keys.web)
        assert.deepEqual([status, body.errors[0].name], [400, name])
      })
    }
  })
}

test('a reference or the number in it names a task of its own project only', async () => {
  for (const project of [web, app]) {
    const [{ id: parent }] = (await workgate.sql`
      insert into workgate.tasks (project_id, number, title) values (${project}, 900, 'Parent') returning id`) as any
    await workgate.sql`
      insert into workgate.tasks (project_id, number, title, parent_id) values (${project}, 901, 'Child', ${parent})`
  }
  for (const [search, found] of [
    ['reference=WEB-900', ['WEB-900']],
    ['reference=WEB-900,APP-901', ['APP-901', 'WEB-900']],
    ['reference=OLD-900', []],
    ['number=900', ['APP-900', 'WEB-900']],
    ['parentId=WEB-900', ['WEB-901']],
    ['parentId=900', ['APP-901', 'WEB-901']],
  ] as const) {
    for (const scope of ['', '&projectId=WEB,APP']) {
      const { data } = (await get(`/tasks?${search}${scope}`)).body
      assert.deepEqual(data.map(({ reference }: Row) => reference).sort(), found, search + scope)
    }
  }
})

describe('cursors across projects', () => {
  test('belong to the list, its filters and its sort', async () => {
    const first = async (path: string) => (await get(path, narrow)).body.meta.nextCursor as string
    const cursor = await first('/tasks?limit=1')
    // The digest of a cursor needs no secret.
    const [, , endpoint] = routes.find(([, path]) => path === '/tasks')!
    const { cursor: _, include: __, limit: ___, sort, ...filters } = parseQuery(endpoint.query, '') as Row
    const forge = (afterId: string) => encodeCursor([`${api}/tasks`, sort, filters], { after: null, afterId })
    assert.equal((await get(`/tasks?cursor=${forge(`${left},${left}`)}`, narrow)).status, 200)
    const ofProject = await first(`/projects/${left}/tasks?limit=1`)
    for (const path of [
      `/projects/${left}/tasks?cursor=${cursor}`,
      `/time-entries?cursor=${cursor}`,
      `/tasks?projectId=${left}&cursor=${cursor}`,
      `/tasks?state=open&cursor=${cursor}`,
      `/tasks?sort=createdAt&cursor=${cursor}`,
      `/tasks?cursor=${ofProject}`,
      `/tasks?projectId=${left}&cursor=${ofProject}`,
      `/tasks?cursor=${forge(left)}`,
      `/tasks?cursor=${forge(`${left},`)}`,
      `/tasks?cursor=${forge(`${left},x`)}`,
      `/tasks?cursor=${forge(`${left},${left},${left}`)}`,
    ]) {
      const { status, body } = await get(path, narrow)
      assert.deepEqual([status, body.code], [400, 'INVALID_CURSOR'], path)
    }
    const both = await first(`/tasks?limit=1&projectId=${left},${right}`)
    assert.equal((await get(`/tasks?limit=1&projectId=${right},${left}&cursor=${both}`, narrow)).status, 200)
  })

  test('grant no access: the scope applies to every page', async () => {
    const { nextCursor } = (await get('/tasks?limit=1&sort=createdAt', narrow)).body.meta
    await workgate.sql`select workgate.set_key_projects('narrow', ${[right]}::uuid[])`
    const { data } = (await get(`/tasks?limit=50&sort=createdAt&cursor=${nextCursor}`, narrow)).body
    assert.deepEqual([...new Set(data.map(({ projectId }: { projectId: string }) => projectId))], [right])
    await workgate.sql`select workgate.set_key_projects('narrow', '{}')`
    assert.deepEqual((await get(`/tasks?limit=50&sort=createdAt&cursor=${nextCursor}`, narrow)).body.data, [])
  })
})
