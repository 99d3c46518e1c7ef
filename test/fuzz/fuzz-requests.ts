// Generates read requests: plausible ones, distorted in ways that no client intends.

import type { Route } from '../../src/api/router.ts'
import { routes } from '../../src/routes.ts'
import { parseQuery } from '../../src/api/input/query-string.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { encodeCursor } from '../../src/api/lists/cursor.ts'
import { chooser } from '../support/random.ts'
import { api } from '../support/workgate.ts'
import { otherKey, ownKey, type ProjectData } from './fuzz-data.ts'
import type { Request } from './target.ts'

/** For writes, see fuzz-writes.ts. */
const reads = routes.filter(([method]) => method === 'GET')

export interface Fuzz {
  request(): Request
  sweep(): Iterable<Request>
  /** Cursors that lists have returned. */
  cursors: string[]
}

const unknownId = '00000000-0000-7000-8000-000000000000'

// prettier-ignore
const nonsense = [
  '', ' ', '\0', 'a\0b', '\ud800', 'a\udfff', 'İ', '🚀', '\u202e', 'ﬀ', 'null', 'undefined', 'NaN', 'true', 'TRUE', '1', '0', '-0', '-1', '1.5',
  '1e309', '0x10', '٣', '9'.repeat(15), '9'.repeat(30), '-2147483649', '2147483648', '9223372036854775808', "' or 1=1 --",
  "'; drop table workgate.tasks; --", '"', '$1', ':projectId', '{{rows}}', '%', '_', '\\', '\\\\', "\\'", '{}', '{NULL}', '[]', '()', ',', ',,',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', '../..', '..%2f..', '.', '*', '2026-02-30', '0000-00-00', '0001-01-01', '9999-12-31',
  '+275760-09-13', '-infinity', 'infinity', 'now', 'today', 'epoch', '294277-01-01', '4714-11-24 BC', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z',
  '0001-01-01T00:00:00+14:59', '9999-12-31T23:59:59.999999999-14:59', '2026-01-01T00:00:00.1234567890Z', '2026-01-01t00:00:00z',
  'a'.repeat(201), 'ab '.repeat(60), '🚀'.repeat(100), 'a,'.repeat(120), ':*', '!!', '&', '|', '<->', 'a:*', '\r\nX-Evil: 1', '<script>', '${7*7}',
  `{${unknownId}}`, unknownId.replaceAll('-', ''), `urn:uuid:${unknownId}`, ` ${unknownId}`, `${unknownId}\n`,
]

// prettier-ignore
const raw = ['%', '%z', '%zz', '%ff', '%00', '%c0%af', '%ed%a0%80', '%u0041', '+', '%2c', '%25', '%2525', '\xe9', '\xff\xfe', '%e2%82', '%F0%9F%9A%80', '%0d%0a', '#', '?', '&&', '==', ';']

// prettier-ignore
const sorts = ['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'position', '-position', 'joinedAt', 'dueDate', '-dueDate', 'priority', '-priority', 'number', '-number', 'completedAt', '-completedAt', 'spentOn', '-spentOn', 'startedAt', 'path', '-path', 'title', '-title', 'lastActivityAt', '-lastActivityAt']

// prettier-ignore
const plausible: [name: RegExp, values: string[]][] = [
  [/^limit$/,           ['1', '2', '3', '50', '200']],
  [/^sort$/,            sorts],
  [/^include$/,         ['', 'tags', 'watchers', 'tags,watchers', 'files', 'files,files']],
  [/(After|Before)$/,   ['2026-01-01', '2026-02-03T04:05:06Z', '2026-02-03T04:05:06.789%2B02:00', '2020-01-01T00:00:00-12:00', '9999-12-31']],
  [/^q$/,               ['plain', 'Canaryword', 'PLAIN 1', 'a', '2 plain']],
  [/^(active|archived|overdue|hasFiles|billable|running)$/, ['true', 'false']],
  [/^(status|state)$/,  ['active', 'archived', 'open', 'completed', 'cancelled', 'open,completed']],
  [/^category$/,        ['backlog', 'active,done']],
  [/^role$/,            ['owner', 'member,viewer']],
  [/^priority$/,        ['none', 'high,urgent']],
  [/^number$/,          ['1', '1,2,3', '40']],
  [/^reference$/,       [`${ownKey}-1`, `${ownKey}-1,${otherKey}-2`, `${otherKey}-1`, `${ownKey}-41`]],
  [/^tag$/,             ['plain 1', 'PLAIN 2', 'Canaryword 1']],
  [/^minVersion$/,      ['1', '2', '999999999999999']],
  [/^digest$/,          [`sha256:${'0'.repeat(64)}`]],
  [/^wait$/,            ['0', '0', '0', '1']],
  [/^pathPrefix$/,      ['plain/', 'Canaryword/', 'p', '%25']],
  [/^(from|to)$/,       ['2026-01-01', '2026-03-01', '2026-11-01', '2027-01-01', '1900-01-01', '0001-01-01', '9999-12-31']],
  [/^timezone$/,        ['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'australia/lord_howe', 'EST5EDT', 'America/Havana']],
  [/^(interval|groupBy)$/, ['day', 'week', 'month', 'user', 'task']],
]

const after = [null, '', '0', '1', '-1', '2147483648', '99999999999999999999', 'a', '\0', '\ud800', 'a'.repeat(2000), 'infinity', '-infinity', '2026-01-01', '2026-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-01-01T00:00:00+99:99', 'high', 'nope', 'plain 1', 'Canaryword 1', "' or true --", 1, 1.5, true, {}, [], { length: 1 }] // prettier-ignore

export function createFuzz(seed: number, own: ProjectData, other: ProjectData, key: string): Fuzz {
  const { below, chance, pick, times } = chooser(seed)
  const cursors: string[] = []
  const encode = (text: string) => (chance(0.03) ? pick(raw) : encodeURIComponent(text.toWellFormed()))

  function idFor(name: string): string {
    const kind = own.idsOf[name] ? name : name === 'parentId' ? 'taskId' : 'userId'
    if (kind === 'taskId' && chance(0.2))
      return pick(['1', '2', '40', `${ownKey}-1`, `${ownKey}-2`, `${otherKey}-1`, '41'])
    const side = chance(0.6) ? own : other
    const id = chance(0.9) ? pick(side.idsOf[kind]!) : pick([...own.ids, ...other.ids, unknownId])
    return chance(0.05) ? id.toUpperCase() : id
  }

  function pathOf(route: string): string {
    if (chance(0.02)) return pick(['', '/', '//', '/..', '/projects/..', `/projects//${other.project}`, `//projects/${other.project}/users`, `/projects/${own.project}/../${other.project}`, `/projects/${own.project}/%2e%2e/${other.project}/users`, `/projects/${own.project}%2f..%2f${other.project}`, `/projects/${own.project};${other.project}/users`, `/Projects/${other.project}`, `/projects/${own.project}\\..\\${other.project}`, '/key/', '/projects/summary']) // prettier-ignore
    const path = route.replaceAll(/:(\w+)/g, (_, name: string) => {
      if (name === 'projectId')
        return chance(0.85)
          ? pick([own.project, own.project, ownKey])
          : pick([other.project, otherKey, encode(pick(nonsense))]) || '%20'
      return chance(0.9) ? idFor(name) : encode(pick(nonsense)) || '%20'
    })
    if (chance(0.97)) return path
    return (
      path +
      pick([
        '/',
        '//',
        '/.',
        '/..',
        '/../..',
        '/%2e%2e',
        '/x',
        '.json',
        '%00',
        ' '.trim(),
        '/__proto__',
        `/${'a'.repeat(300)}`,
      ])
    )
  }

  function valueOf(name: string): string {
    if (chance(0.15)) return encode(pick(nonsense))
    if (name.endsWith('Id')) {
      const ids = times(pick([1, 1, 1, 2, 3, 101]), () => idFor(name))
      return (chance(0.1) ? [...ids, 'none'] : ids).join(',')
    }
    const [, values] = plausible.find(([form]) => form.test(name)) ?? []
    return values ? pick(values).replaceAll(' ', '+') : encode(pick(nonsense))
  }

  function queryOf(names: string[]): string[] {
    return times(below(pick([1, 2, 3, 4, 6, 9])), () => {
      const name =
        chance(0.96) && names.length > 0
          ? pick(names)
          : encode(pick([...nonsense, 'limit[]', 'q[a]', 'projectId', 'project_id', 'cursor', 'key']))
      if (name === 'cursor') return ''
      return chance(0.01) ? name : `${name}=${valueOf(name)}`
    }).filter(Boolean)
  }

  /** Returns a cursor from a list, a damaged one, or a forged one that fits: its digest needs no secret. */
  function cursorFor([, , endpoint]: Route, path: string, search: string): string {
    const given = cursors.length > 0 ? pick(cursors) : 'WzFd'
    if (chance(0.15)) return given
    if (chance(0.15)) {
      const at = below(given.length)
      return (
        given.slice(0, at) + pick(['', 'A', 'z', '~', '_', '%3D', '%00', given]) + given.slice(at + pick([0, 1, 2]))
      )
    }
    const madeUp = [
      ...nonsense,
      Buffer.from(JSON.stringify([1, pick(after), unknownId, pick(nonsense)])).toString('base64url'),
    ]
    return fittingCursor(endpoint, path, search, pick(after)) ?? encode(pick(madeUp))
  }

  function fittingCursor(endpoint: Endpoint, path: string, search: string, after: unknown): string | undefined {
    let query: Record<string, unknown>
    try {
      query = parseQuery(endpoint.query, search)
    } catch {
      return undefined
    }
    const { cursor: _, include: __, limit: ___, sort, ...filters } = query
    const known = [pick(own.ids), pick(other.ids), pick(other.ids), unknownId]
    const afterId = pick([...known, `${pick(known)},${pick([...known, ''])}`, 'x', '', 1, null])
    return encodeCursor([new URL(`http://x${api}${path}`).pathname, sort, filters], { after, afterId } as never)
  }

  function headers(): Request['headers'] {
    const all: Request['headers'] = { authorization: `Bearer ${key}` }
    const some = (share: number, name: string, values: (string | string[])[]) => {
      if (chance(share)) all[name] = pick(values)
    }
    some(0.02, 'authorization', ['', 'Bearer', 'Bearer  ', `bearer ${key}`, `Basic ${key}`, `Bearer ${key}x`, `Bearer ${key} ${key}`, 'Bearer wg_', 'Bearer \xff', [`Bearer ${key}`, 'Bearer x'], `Bearer ${'a'.repeat(5000)}`]) // prettier-ignore
    some(0.01, 'x-api-key', [key, 'x', `${key},${key}`, '', '\xe9', 'a'.repeat(3000)])
    some(0.02, 'x-request-id', ['', 'a b', '\xe9', 'x'.repeat(65), 'ok-1', ['a', 'b'], '"', '<x>'])
    some(0.03, 'if-none-match', ['*', '""', 'W/"x"', '"a", "b"', 'x', '\xff', '"'.repeat(100)])
    some(0.03, 'if-match', ['*', '""', 'W/"x"', '"a", "b"', 'x', '\xff', '"'.repeat(100)])
    some(0.03, 'accept-encoding', [
      'gzip',
      'br',
      'br;q=0',
      '*;q=0',
      'identity;q=0',
      'gzip;q=x',
      ', , ,',
      'a'.repeat(3000),
    ])
    some(0.02, 'accept', ['text/html', '*/*;q=0', 'application/xml', '\xff'])
    some(0.02, 'origin', ['null', 'https://example.org', 'x', '*'])
    some(0.01, 'x-http-method-override', ['DELETE'])
    some(0.01, 'x-forwarded-for', ['1.2.3.4', ',,,', 'x'.repeat(1000)])
    some(0.01, 'range', ['bytes=0-1', 'bytes=-1'])
    some(0.01, 'content-type', ['application/json', 'text/plain', 'x', 'application/json; charset=utf-16', '\xff'])
    some(0.02, 'idempotency-key', ['', 'x', 'x'.repeat(256), 'a b', '\xe9', ['a', 'b']])
    return all
  }

  function request(): Request {
    const route = pick(reads)
    const [method, template, { query }] = route
    const path = pathOf(template)
    const names = chance(0.95) ? Object.keys(query.entries) : Object.keys(pick(reads)[2].query.entries)
    const parts = queryOf(names)
    if (chance('cursor' in query.entries ? 0.3 : 0.02)) parts.push(`cursor=${cursorFor(route, path, parts.join('&'))}`)
    const search = parts.length === 0 ? '' : `?${parts.join('&')}`
    const wrong = chance(0.05)
    return {
      method: wrong ? pick(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'GET']) : method,
      target: path + search,
      headers: headers(),
      ...(wrong && chance(0.3) && { body: pick(['', '{}', 'x', '[', '\0']) }),
    }
  }

  /** Puts nonsense into each parameter of each route, one at a time: a second error would hide the first one. */
  function* sweep(): Generator<Request> {
    const odd = [...nonsense.map((value) => encodeURIComponent(value.toWellFormed())), ...raw]
    const others = Object.values(other.idsOf).map(([id]) => id!)
    const get = (target: string): Request => ({ method: 'GET', target, headers: { authorization: `Bearer ${key}` } })
    for (const [, template, endpoint] of reads) {
      const path = template.replaceAll(/:(\w+)/g, (_, name: string) => own.idsOf[name]![0]!)
      for (const name of Object.keys(endpoint.query.entries)) {
        for (const value of [...odd, ...others]) yield get(`${path}?${name}=${value}`)
      }
      yield get(`${path}?${'a&'.repeat(2_000)}`)
      yield get(`${path}?${'limit=1&'.repeat(500)}`)
      yield get(`${path}?${'%&'.repeat(2_000)}`)
      for (const [, name] of template.matchAll(/:(\w+)/g)) {
        for (const value of [...odd, ...others]) yield get(path.replace(own.idsOf[name!]![0]!, value))
      }
      for (const sort of sorts) {
        for (const value of after) {
          const cursor = fittingCursor(endpoint, path, `sort=${sort}`, value)
          if (cursor) yield get(`${path}?sort=${sort}&limit=3&cursor=${cursor}`)
        }
      }
    }
  }

  return { request, sweep, cursors }
}
