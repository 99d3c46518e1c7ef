// Generates writes: valid ones at the limits of what is allowed, and invalid ones with one error each.

import { chooser } from '../support/random.ts'
import { otherKey, ownKey, type ProjectData } from './fuzz-data.ts'
import type { Request } from './target.ts'

export interface Writes {
  good(): Request
  bad(): Request
}

type Body = Record<string, unknown>

const unknownId = '00000000-0000-7000-8000-000000000000'

// prettier-ignore
const goodTexts = [
  'x', 'Grüße', 'İ', 'i\u0307', 'ß', 'SS', '設計', '🚀', '\u0001', '\u007f', '\uffff', '\u202eabc', 'e\u0301', '  x  ', '\u00a0x', 'a\nb\r\n\tc', '\\', '"', "'", "'; drop table workgate.tasks; --",
  '$1 :projectId {{rows}} %s ${x}', '<b>&amp;</b>', 'null', '__proto__', '{}', '[]', '{a,b}', "' & !x | :*", '\\u0000', '\ufeffx', '\u2028x', 'x\u200b', '0', '\u{10ffff}', 'Ǆ', 'ﬃ', 'ŉ',
]

const badTexts = [1, 0, -1.5, true, [], {}, ['x'], { length: 1 }, '\0', 'a\0b', '\ud800', 'x\udfff']
const blanks = ['', ' ', '\n\t ', '\u00a0', '\u2003', '\u3000', '\u200b', '\ufeff', '\u0085', '\u2028', '\u1680']
const badDays = ['', '2026-02-30', '2025-02-29', '0000-01-01', '10000-01-01', '2026-1-1', '26-01-01', 20260101, '2026-01-01T00:00:00Z', 'infinity', 'today', '٢٠٢٦-٠١-٠١', '2026-01-01\n', true, [], {}] // prettier-ignore
const badSeconds = [-1, 1.5, '1', '', 1e300, 2_147_483_648, -2_147_483_649, true, [], {}, [1]]
const badPriorities = ['', 'HIGH', 'highest', 'none ', 1, true, [], {}, ['high']]
const badKeys = ['', 'A', 'ab', 'ABCDEFGHIJKLM', 'A-B', 'A B', '1AB', 'ÄB', 'AB\n', 'ＡＢ', 1, true, [], {}]
const badTags = ['x', 1, true, {}, [1], [''], [' '], ['a,b'], ['x'.repeat(101)], [null], [['a']], ['\ud800'], ['a\0'], Array.from({ length: 21 }, (_, n) => `t${n}`)] // prettier-ignore
const badStages = [[], 'x', 1, {}, [null], ['x'], [{}], [{ name: 'x' }], [{ category: 'done' }], [{ name: 'x', category: 'y' }], [{ name: ' ', category: 'done' }], [{ name: 'x', category: 'done', position: 1 }], [{ name: 'x'.repeat(201), category: 'done' }], Array.from({ length: 21 }, () => ({ name: 'x', category: 'done' }))] // prettier-ignore
const unknownFields = ['Title', 'ID', 'id', 'state', 'number', 'projectId', 'project_id', 'createdAt', 'version', 'toString', '', ' ', 'x'.repeat(1000), '\ud800', '🚀', 'title\0'] // prettier-ignore

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)
/** @ stands for the required field. */
// prettier-ignore
const badJson = [
  ' ', 'x', '{', '}', '[]', 'null', '1', '"x"', 'true', '{"@":}', '{@:"x"}', "{'@':'x'}", '{"@":"x",}', '{"@":"x"}}', '{"@":"x"} x', '{"@":"x"}{"@":"y"}', '// x\n{"@":"x"}', '\0{"@":"x"}',
  '{"@":"a\nb"}', '{"@":NaN}', '{"@":"\\x41"}', '{"@":"\\ud800"}', '{"@":"\\u0000"}', '{"@":"x","@":"x"}', '{"@":"x","description":null,"descriptio\\u006e":null}',
  '{"@":"x","__proto__":{}}', '{"@":"x","\\u005f_proto__":null}', '{"@":"x","constructor":{}}', '{"@":"x","startDate":1e999}', '{"@":"x","dueDate":{"a":1,"a":2}}',
  deep('[', ']', 100_000), deep('{"a":', '}', 40_000).replace('}', '1}'), `{"@":"x","tags":${deep('[', ']', 100_000)}}`, `{"@":"x","stages":${deep('[', ']', 100_000)}}`,
  `{"@":"x","a":${deep('{"a":', '}', 30_000).replace('}', '1}')}}`, `{"@":"x","${'a'.repeat(60_000)}":1,"${'a'.repeat(60_000)}":1}`, `{"@":"x","stages":[{"${'b'.repeat(99_000)}":1}]}`, `{"@":"${'x'.repeat(262_144)}"}`, `{${'"a":1,'.repeat(30_000)}"@":"x"}`, `${' '.repeat(262_144)}{"@":"x"}`,
]
const badBytes = ['fffe7b007d00', '7b2240223a22ff227d', '7b2240223a22eda080227d', '7b2240223a22c080227d', '1f8b0800']

type Change = (request: Request, body: Body) => string | Buffer<ArrayBuffer> | Body | undefined

export function createWrites(
  seed: number,
  own: ProjectData,
  other: ProjectData,
  key: string,
  openTasks: string[],
  cancelled: string[],
): Writes {
  const { below, chance, maybe, pick, times } = chooser(seed)
  let count = 0
  const idsOf = (name: string) => own.idsOf[name]!
  const text = (max: number) =>
    pick([
      pick(goodTexts),
      pick(goodTexts) + pick(goodTexts),
      'x'.repeat(max),
      '🚀'.repeat(Math.min(max, 500)),
      `plain ${count}`,
    ])
  const days = () => {
    const [startDate, dueDate] = [
      pick(['0001-01-01', '2026-01-01', null]),
      pick(['9999-12-31', '2026-01-01', '2028-02-29', null]),
    ]
    return { startDate, dueDate }
  }
  const types = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']
  function requestTo(target: string, body: Body | undefined): Request {
    const headers: Request['headers'] = { authorization: `Bearer ${key}` }
    if (chance(0.3)) headers['idempotency-key'] = `key-${++count}`
    if (!body) return { method: 'POST', target, headers }
    headers['content-type'] = pick(types)
    return { method: 'POST', target, headers, body: JSON.stringify(body) }
  }

  const task = (): Body => {
    count++
    const body = {
      title: text(500),
      description: maybe(0.5, () => text(20_000)),
      stageId: maybe(0.5, () => pick(idsOf('stageId'))),
      assigneeId: maybe(0.5, () => pick(idsOf('userId'))),
      priority: maybe(0.5, () => pick(['none', 'low', 'medium', 'high', 'urgent'])),
      estimateSeconds: maybe(0.5, () => pick([0, -0, 1, 2_147_483_647, 3e2])),
      fields: maybe(0.3, () => pick([{}, { points: pick([0, -0, 1.25]) }, { note: pick(goodTexts), points: null }])),
      externalUrl: maybe(0.2, () => 'https://example.org/1'),
      parentId: maybe(0.3, () => pick([pick(idsOf('taskId')), '1', `${ownKey}-2`])),
      creatorId: maybe(0.3, () => pick(idsOf('userId'))),
      tags: maybe(0.5, () => times(below(21), () => pick([pick(goodTexts), 'x'.repeat(100)]).replaceAll(',', ''))),
      watcherIds: maybe(0.3, () => times(below(51), () => pick(idsOf('userId')))),
      ...days(),
    }
    // An absent field is the same as null.
    return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null || chance(0.3)))
  }
  const project = (): Body => {
    count++
    return {
      name: text(200),
      ...(chance(0.5) && { description: pick([text(20_000), '', null]) }),
      ...(chance(0.3) && { ownerId: pick(idsOf('userId')) }),
      ...(chance(0.3) && {
        stages: times(1 + below(20), () => ({ name: text(200), category: pick(['backlog', 'active', 'done']) })),
      }),
      ...days(),
    }
  }
  const tasks = `/projects/${pick([own.project, ownKey])}/tasks`
  const complete = (id: string) => `${tasks}/${id}/complete`

  const set =
    (name: string, values: readonly unknown[]): Change =>
    (_, body) => ({ ...body, [name]: pick(values) })
  const wrongId =
    (name: string): Change =>
    (_, body) => ({
      ...body,
      [name]: pick([
        '',
        'x',
        1,
        true,
        [],
        {},
        unknownId,
        `{${unknownId}}`,
        unknownId.replaceAll('-', ''),
        pick(other.ids),
        pick(other.ids),
        own.project,
        `${pick(own.ids)}\n`,
        `${pick(own.ids)}\0`,
      ]),
    })
  // prettier-ignore
  const commonChanges: Change[] = [
    (_, body) => ({ ...body, [pick(unknownFields)]: pick([null, 1, 'x', other.project]) }),
    () => pick(badJson),
    () => Buffer.from(pick(badBytes), 'hex'),
    (request) => { request.headers['content-type'] = pick(['text/plain', '', 'application/json; charset=utf-16', 'application/x-json', 'application/json, text/plain', '\xff', 'application/json; a=b; charset=utf-8; x']); return undefined },
    (request) => { delete request.headers['content-type']; return undefined },
    (request) => { request.headers['content-encoding'] = pick(['gzip', 'br', 'x', 'identity, gzip']); return undefined },
    (request) => { request.headers['idempotency-key'] = pick(['', ' ', 'a b', 'x'.repeat(256), '\xe9', '\t', ['a', 'b']]); return undefined },
    (request) => { request.target += pick(['?limit=1', '?title=x', '?include=tags', '?__proto__=1', '?%', '?=']); return undefined },
    (request) => { request.target = request.target.replace(own.project, other.project); return request.target.includes(other.project) ? undefined : 'x' },
    (request) => { request.method = pick(['PUT', 'PATCH', 'DELETE', 'TRACE']); return undefined },
    (request) => { request.headers['authorization'] = pick(['', 'Bearer x', `Bearer ${key}x`]); return undefined },
  ]
  // prettier-ignore
  const taskChanges: Change[] = [
    ...commonChanges,
    set('title', [...badTexts, ...blanks, null, undefined, 'x'.repeat(501), '🚀'.repeat(501)]), set('description', [...badTexts, 'x'.repeat(100_001)]),
    wrongId('stageId'), wrongId('assigneeId'), wrongId('parentId'), wrongId('creatorId'), set('parentId', ['41000', `${otherKey}-1`, `${ownKey}-0`, `${ownKey}-41000`, 'own-1']), set('priority', badPriorities), set('estimateSeconds', badSeconds), set('tags', badTags),
    set('externalId', ['', 'a,b', 'x'.repeat(201), 1]), set('externalUrl', ['', 'javascript:alert(1)', 'http://', 'https://a b', 1]),
    set('fields', ['x', [], 1, { points: '1' }, { points: {} }, { note: 1 }, { Note: 'x' }, { unknown: 1 }, { note: pick(badTexts) }]),
    set('startDate', badDays), set('dueDate', badDays), (_, body) => ({ ...body, startDate: '2026-01-02', dueDate: '2026-01-01' }),
    (_, body) => ({ ...body, watcherIds: pick([[pick(other.idsOf['userId']!)], [pick(idsOf('userId')), unknownId], 'x', [1], [null], {}, times(51, () => pick(idsOf('userId'))), [[pick(idsOf('userId'))]]]) }),
    (_, body) => ({ ...body, assigneeId: pick(other.idsOf['userId']!) }), (_, body) => ({ ...body, stageId: pick(other.idsOf['stageId']!) }), (_, body) => ({ ...body, parentId: pick(other.idsOf['taskId']!) }),
    (_, body) => ({ ...body, creatorId: pick(other.idsOf['userId']!) }),
  ]
  // prettier-ignore
  const projectChanges: Change[] = [
    ...commonChanges,
    set('name', [...badTexts, ...blanks, null, undefined, 'x'.repeat(201), '🚀'.repeat(201)]), set('description', [...badTexts, 'x'.repeat(20_001)]), set('key', [...badKeys, ownKey, otherKey, 'UNUSED']),
    wrongId('ownerId'), set('stages', badStages), set('startDate', badDays), set('dueDate', badDays), (_, body) => ({ ...body, startDate: '2026-01-02', dueDate: '2026-01-01' }),
  ]
  // prettier-ignore
  const completionChanges: Change[] = [
    ...commonChanges,
    (request) => { request.target = complete(pick([pick(other.idsOf['taskId']!), `${otherKey}-1`, unknownId, 'x', '%00', '__proto__', pick(cancelled), pick(idsOf('stageId'))])); return undefined },
    (request) => { request.headers['if-match'] = pick(['', 'x', '"', '""', '"x"', 'W/"x"', '*, *', '"a" "b"', '"\xe9"', ',', '"0.1.2"', '"'.repeat(999), `"${'9'.repeat(30)}.${'9'.repeat(30)}.x"`]); return undefined },
    (_, body) => ({ ...body, state: 'completed' }),
  ]

  const kinds = [
    { path: () => tasks, body: task, changes: taskChanges },
    { path: () => tasks, body: task, changes: taskChanges },
    { path: () => '/projects', body: project, changes: projectChanges },
    { path: () => complete(pick(openTasks)), body: () => ({}), changes: completionChanges },
  ]

  return {
    good() {
      const { path, body } = pick(kinds)
      const to = path()
      return requestTo(to, to.endsWith('complete') && chance(0.5) ? undefined : body())
    },
    bad() {
      const { path, body, changes } = pick(kinds)
      const good = body()
      const request = requestTo(path(), good)
      const changed = pick(changes)(request, good)
      if (changed === undefined) return request
      const field = 'name' in good ? 'name' : 'title'
      if (typeof changed === 'string') return { ...request, body: changed.replaceAll('@', field) }
      if (!Buffer.isBuffer(changed)) return { ...request, body: JSON.stringify(changed) }
      return { ...request, body: Buffer.from(changed.toString('latin1').replaceAll('@', field), 'latin1') }
    },
  }
}
