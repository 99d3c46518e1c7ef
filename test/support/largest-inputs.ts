// Inputs of the largest permitted size, each made to be as costly as possible to read: bodies of 256 KiB, targets of
// 8,192 characters, and headers of almost 16 KiB.

import { id } from './data.ts'
import { inDays } from './flow.ts'
import { api, type Sql } from './workgate.ts'

const maxBodyBytes = 262_144
const maxTargetLength = 8_192
// The request line and the other headers fit into the rest.
const maxHeaderBytes = 15_800
/** With those that every request has, 100. */
const manyHeaders = 95

/** The objects that the requests name. */
export interface Place {
  key: string
  /** A project with few tasks, and one of them. */
  project: string
  task: string
  /** A project whose tasks have long descriptions, one of its tasks, and a project with a costly forecast. */
  large: string
  largeTask: string
  planned: string
}

export interface LargeInput {
  name: string
  status: number
  /** Returns the request as it is sent. */
  request(place: Place): Buffer
}

/** Adds 200 tasks with the longest description that the API accepts in Chinese, and a forecast of 1.1 million draws. */
export async function insertLargest(sql: Sql, { large, largeTask, planned }: Omit<Place, 'key' | 'project' | 'task'>) {
  await sql`
    insert into workgate.tasks (id, project_id, title, description)
    select case n when 1 then ${largeTask}::uuid else gen_random_uuid() end, ${large}, 'Large', repeat('日', 87000)
    from generate_series(1, 200) n`
  await sql`
    insert into workgate.tasks (project_id, title) select ${planned}, 'Planned' from generate_series(1, 545)`
  await sql`
    insert into workgate.tasks (project_id, title, state, created_at, completed_at)
    select ${planned}, 'Done', 'completed', now() - interval '3 years', now() - n * interval '2 days'
    from generate_series(1, 200) n`
}

/** Repeats a unit between a beginning and an end, up to a size in bytes. */
function fill(size: number, start: string, unit: string | ((n: number) => string), end = '', separator = ''): string {
  const of = typeof unit === 'string' ? () => unit : unit
  const parts: string[] = []
  let left = size - Buffer.byteLength(start) - Buffer.byteLength(end)
  for (let n = 0; ; n++) {
    const part = (n > 0 ? separator : '') + of(n)
    left -= Buffer.byteLength(part)
    if (left < 0) return start + parts.join('') + end
    parts.push(part)
  }
}

const bodyOf = (start: string, unit: string | ((n: number) => string), end = '', separator = '') =>
  fill(maxBodyBytes, start, unit, end, separator)

function request(line: string, { key }: Pick<Place, 'key'>, headers: readonly string[] = [], body?: string | Buffer) {
  const bytes = Buffer.from(body ?? '')
  const all = [
    'Host: a',
    'Connection: close',
    ...(key && [`X-API-Key: ${key}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${bytes.length}`]),
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes])
}

const inString = (unit: string) => bodyOf('{"title":"Large","description":"', unit, '"}')
const inTitle = (unit: string) => bodyOf('{"title":"', unit, '"}')
const inArray = (unit: string | ((n: number) => string)) => bodyOf('{"title":"x","tags":[', unit, ']}', ',')
const inObject = (unit: string | ((n: number) => string)) => bodyOf('{"title":"x",', unit, '}', ',')
const nested = (open: string, close: string, inner = '') => {
  const levels = Math.floor((maxBodyBytes - 40) / (open.length + close.length))
  return `{"title":${open.repeat(levels)}${inner}${close.repeat(levels)}}`
}
const deepObject = (unit: (n: number) => string) =>
  bodyOf('{"title":"x","a":'.padEnd(16, ' ') + '{"a":'.repeat(14) + '{', unit, '}'.repeat(16), ',')
const people = (text: string) => Array.from({ length: 50 }, () => `"${text}"`).join()

// prettier-ignore
const taskBodies: [name: string, status: number, body: string | Buffer][] = [
  ['brackets',                             400, '['.repeat(maxBodyBytes)],
  ['nested arrays',                        400, nested('[', ']')],
  ['nested objects',                       400, nested('{"":', '}', '1')],
  ['nested objects with spaces',           400, nested('{ "a" : ', ' } ', '1')],
  ['empty arrays',                         400, inArray('[]')],
  ['empty objects',                        400, inArray('{}')],
  ['objects with a name',                  400, inArray('{"a":1}')],
  ['digits',                               400, inArray('1')],
  ['fractions',                            400, inArray('1e-9')],
  ['nulls',                                400, inArray('null')],
  ['empty strings',                        400, inArray('""')],
  ['strings of one letter',                400, inArray('"a"')],
  ['unknown names',                        400, inObject((n) => `"a${n}":1`)],
  ['escaped names',                        400, inObject((n) => `"\\u0061${n}":1`)],
  ['names of numbers',                     400, inObject((n) => `"${n}":1`)],
  ['duplicate names',                      400, inObject('"title":1')],
  ['names of Object.prototype',            400, inObject('"__proto__":1')],
  ['names at 16 levels',                   400, deepObject((n) => `"a${n}":1`)],
  ['490 unknown names of 500 letters',     400, `{"title":"x",${Array.from({ length: 490 }, (_, n) => `"${String(n).padEnd(500, 'a')}":1`).join()}}`],
  ['480 names in 15 levels',               400, `{"title":"x","tags":[${Array.from({ length: 36 }, () => `${'{"__proto__":'.repeat(13)}1${'}'.repeat(13)}`).join()}]}`],
  ['a name of 256 KiB',                    400, bodyOf('{"title":"x","', 'a', '":1}')],
  ['a duplicate name of 128 KiB',          400, `{"${'a'.repeat(131_000)}":1,"${'a'.repeat(131_000)}":1}`],
  ['a name of quotes',                     400, bodyOf('{"title":"x","', '\\"', '":1}')],
  ['490 tags of 500 letters',              400, `{"title":"x","tags":[${Array.from({ length: 490 }, () => `"${'a'.repeat(500)}"`).join()}]}`],
  ['50 watchers of 5,000 letters',         400, `{"title":"x","watcherIds":[${people('a'.repeat(5_200))}]}`],
  ['faults in every field',                400, `{"title":"","description":1,"stageId":"${'a'.repeat(30_000)}","assigneeId":"${'İ'.repeat(30_000)}","priority":"${'a'.repeat(30_000)}","startDate":"${'('.repeat(30_000)}","dueDate":"${'1'.repeat(30_000)}","estimateSeconds":-1,"parentId":"${'-'.repeat(30_000)}","tags":[],"watcherIds":[${people('x')}],"a":1}`],
  ['a title of spaces',                    400, inTitle(' ')],
  ['a title of emoji',                     400, inTitle('😀')],
  ['a description of quotes',              400, inString('\\"')],
  ['a description of backslashes',         400, inString('\\\\')],
  ['a description of NULs',                400, inString('\\u0000')],
  ['a description of unpaired surrogates', 400, inString('\\ud800')],
  ['a description of brackets',            400, inString('[')],
  ['a description of escaped letters',     201, inString('\\u65e5')],
  ['a description of escaped emoji',       201, inString('\\ud83d\\ude00')],
  ['a description of emoji',               201, inString('😀')],
  ['a description of Chinese letters',     201, inString('日')],
  ['a description of newlines',            201, `{"title":"Large","description":"${'\\n'.repeat(99_999)}x"}`],
  ['a date of digits',                     400, bodyOf('{"title":"x","dueDate":"', '1', '"}')],
  ['a date of parentheses',                400, bodyOf('{"title":"x","dueDate":"', '(', '"}')],
  ['an id of letters',                     400, bodyOf('{"title":"x","stageId":"', 'İ', '"}')],
  ['an id of hex digits',                  400, bodyOf('{"title":"x","stageId":"', 'a', '"}')],
  ['a number of digits',                   400, bodyOf('{"title":"x","estimateSeconds":', '1', '}')],
  ['a number of zeros',                    201, bodyOf('{"title":"x","estimateSeconds":0.', '0', '1}')],
  ['a number with a long exponent',        400, bodyOf('{"title":"x","estimateSeconds":1e', '9', '}')],
  ['spaces',                               201, '{"title":"Large"}'.padEnd(maxBodyBytes)],
  ['spaces and a bracket',                 400, '{"title":"Large"}'.padEnd(maxBodyBytes - 1) + ']'],
  ['text that is not UTF-8',               400, Buffer.concat([Buffer.from(inString('日').slice(0, -20)), Buffer.alloc(10, 0xff)])],
  ['quotes',                               400, '"'.repeat(maxBodyBytes)],
]

// prettier-ignore
const projectBodies: [name: string, status: number, body: string][] = [
  ['a name of ligatures',                  201, `{"name":"${'\ufdfa'.repeat(200)}"}`],
  ['a description of emoji',               201, `{"name":"Large","description":"${'😀'.repeat(20_000)}"}`],
  ['stages with unknown names',            400, bodyOf('{"name":"x","stages":[{', (n) => `"a${n}":1`, '}]}', ',')],
  ['240 invalid stages',                   400, `{"name":"x","stages":[${Array.from({ length: 240 }, () => '{"nam":1}').join()}]}`],
]

const target = (start: string, unit: string | ((n: number) => string), separator = '', end = '') =>
  fill(maxTargetLength, api + start, unit, end, separator)

// prettier-ignore
const targets: [name: string, status: number, target: (place: Place) => string][] = [
  ['unknown parameters',                   400, ({ project }) => target(`/projects/${project}/tasks?`, (n) => `stat${n}=1`, '&')],
  ['long unknown parameters',              400, ({ project }) => target(`/projects/${project}/tasks?`, (n) => `${String(n).padEnd(400, 'dueAfterBefore')}=1`, '&')],
  ['a duplicate parameter',                400, ({ project }) => target(`/projects/${project}/tasks?`, 'q=a', '&')],
  ['every filter, invalid',                400, ({ project }) => target(`/projects/${project}/tasks?stageId=x&boardId=x&assigneeId=x&creatorId=x&watcherId=x&parentId=x&state=x&priority=x&number=x&dueAfter=x&dueBefore=x&overdue=x&completedAfter=x&completedBefore=x&createdAfter=x&createdBefore=x&limit=x&sort=x&include=x&cursor=x&q=`, 'x')],
  ['ampersands',                           200, ({ project }) => target(`/projects/${project}/tasks?`, '&')],
  ['equals signs',                         400, ({ project }) => target(`/projects/${project}/tasks?q=`, '=')],
  ['question marks',                       400, ({ project }) => target(`/projects/${project}/tasks`, '?')],
  ['plus signs',                           400, ({ project }) => target(`/projects/${project}/tasks?q=`, '+')],
  ['percent-encoded letters',              400, ({ project }) => target(`/projects/${project}/tasks?q=`, '%41')],
  ['percent-encoded emoji',                400, ({ project }) => target(`/projects/${project}/tasks?q=`, '%F0%9F%98%80')],
  ['percent-encoded NULs',                 400, ({ project }) => target(`/projects/${project}/tasks?q=`, '%00')],
  ['percent signs',                        400, ({ project }) => target(`/projects/${project}/tasks?q=`, '%')],
  ['200 letters of q',                     200, ({ project }) => `${api}/projects/${project}/tasks?q=${'a%20'.repeat(100)}`],
  ['200 Arabic letters of q',              200, ({ project }) => `${api}/projects/${project}/tasks?q=${'%EF%B7%BA'.repeat(200)}`],
  ['200 Chinese letters of q',             200, ({ project }) => `${api}/projects/${project}/tasks?q=${'%E6%97%A5'.repeat(200)}`],
  ['200 emoji and a letter of q',          200, ({ project }) => `${api}/projects/${project}/tasks?q=${'%F0%9F%98%80'.repeat(199)}a`],
  ['tags of one letter',                   400, ({ project }) => target(`/projects/${project}/tasks?tag=`, 'a', ',')],
  ['tags, the last one blank',             400, ({ project }) => target(`/projects/${project}/tasks?tag=`, 'a', ',', ',')],
  ['100 tags of 75 letters',               200, ({ project }) => `${api}/projects/${project}/tasks?tag=${Array.from({ length: 100 }, (_, n) => String(n).padEnd(75, 'a')).join()}`],
  ['a tag of commas',                      400, ({ project }) => target(`/projects/${project}/tasks?tag=`, ',')],
  ['states',                               400, ({ project }) => target(`/projects/${project}/tasks?state=`, 'open', ',')],
  ['numbers',                              400, ({ project }) => target(`/projects/${project}/tasks?number=`, '9', ',')],
  ['a number of digits',                   400, ({ project }) => target(`/projects/${project}/tasks?number=`, '9')],
  ['100 ids in two filters',               200, ({ project }) => `${api}/projects/${project}/tasks?watcherId=${ids(100)}&assigneeId=${ids(100)}`],
  ['ids',                                  400, ({ project }) => target(`/projects/${project}/tasks?assigneeId=`, (n) => id('user', n), ',')],
  ['none, many times',                     400, ({ project }) => target(`/projects/${project}/tasks?assigneeId=`, 'none', ',')],
  ['fields to include',                    200, ({ project }) => target(`/projects/${project}/tasks?include=`, 'tags', ',')],
  ['a path prefix',                        200, ({ project }) => `${api}/projects/${project}/documents?pathPrefix=${'%25'.repeat(1_000)}`],
  ['a time of digits',                     400, ({ project }) => target(`/projects/${project}/tasks?createdAfter=2026-11-21T00:00:00.`, '0')],
  ['a time of parentheses',                400, ({ project }) => target(`/projects/${project}/tasks?createdAfter=`, '(')],
  ['a date of digits',                     400, ({ project }) => target(`/projects/${project}/tasks?dueAfter=`, '1')],
  ['a limit of digits',                    400, ({ project }) => target(`/projects/${project}/tasks?limit=`, '9')],
  ['a cursor of zeros',                    400, ({ project }) => target(`/projects/${project}/tasks?cursor=`, 'A')],
  ['a cursor of brackets',                 400, ({ project }) => cursor(project, '['.repeat(6_000))],
  ['a cursor of nested arrays',            400, ({ project }) => cursor(project, `${'['.repeat(3_000)}${']'.repeat(3_000)}`)],
  ['a cursor of digits',                   400, ({ project }) => cursor(project, `[1,"${'9'.repeat(5_800)}","${id('task', 1)}","x"]`)],
  ['a cursor of numbers',                  400, ({ project }) => cursor(project, `[${'1,'.repeat(2_900)}1]`)],
  ['a time zone',                          200, ({ project }) => `${api}/projects/${project}/analytics/progress?timezone=aMeRiCa/aRgEnTiNa/cOmOdRiVaDaViA`],
  ['an unknown time zone',                 400, ({ project }) => target(`/projects/${project}/analytics/progress?timezone=`, 'a')],
  ['a time zone of slashes',               400, ({ project }) => target(`/projects/${project}/analytics/progress?timezone=a`, '/a', '', '!')],
  ['a digest of digits',                   400, ({ project, task }) => target(`/projects/${project}/tasks/${task}/work-packet/verification?digest=sha256:`, 'a')],
  ['an overview',                          200, ({ project }) => `${api}/projects/${project}/analytics/overview`],
  ['1,100 days of progress',               200, ({ planned }) => `${api}/projects/${planned}/analytics/progress?from=${inDays(-1_099)}&to=${inDays(1)}&timezone=Asia/Kathmandu`],
  ['1,100 days of time',                   200, ({ project }) => `${api}/projects/${project}/analytics/time?from=${inDays(-1_099)}&to=${inDays(1)}&groupBy=day&userId=${ids(100)}`],
  ['a work packet',                        200, ({ large, largeTask }) => `${api}/projects/${large}/tasks/${largeTask}/work-packet`],
  ['a page of large tasks',                200, ({ large }) => `${api}/projects/${large}/tasks?limit=200`],
  ['a large task',                         200, ({ large, largeTask }) => `${api}/projects/${large}/tasks/${largeTask}`],
  ['slashes',                              404, () => fill(maxTargetLength, api, '/')],
  ['slashes after a path',                 404, ({ project }) => target(`/projects/${project}/tasks`, '/', '', 'x')],
  ['slashes that end a path',              200, ({ project }) => target(`/projects/${project}/tasks`, '/')],
  ['segments of one letter',               404, () => target('', '/a')],
  ['a long segment',                       404, ({ project }) => target(`/projects/${project}/`, 'a')],
  ['a long id',                            404, () => target('/projects/', 'a')],
  ['dots',                                 404, ({ project }) => target(`/projects/${project}/`, '.')],
  ['dot segments',                         404, ({ project }) => target(`/projects/${project}`, '/..')],
  ['dot segments after many others',       404, () => target('', '/a').slice(0, 4_100) + '/..'.repeat(1_360)],
  ['percent-encoded dot segments',         404, ({ project }) => target(`/projects/${project}`, '/%2e%2E')],
  ['backslashes',                          404, ({ project }) => target(`/projects/${project}`, '\\')],
  ['percent signs in the path',            404, ({ project }) => target(`/projects/${project}/`, '%')],
  ['quotes in the path',                   404, ({ project }) => target(`/projects/${project}/`, '"')],
  ['bytes over 127 in the path',           404, ({ project }) => target(`/projects/${project}/`, '%FF')],
  ['an absolute target',                   404, () => fill(maxTargetLength, 'http://', 'a', '/x')],
  ['an absolute target without a path',    200, () => fill(maxTargetLength, 'http://', 'a')],
  ['a key in the query',                   400, ({ project }) => target(`/projects/${project}/tasks?`, 'api_', '', '&token=1')],
  ['the documentation',                    200, () => '/docs'],
  ['a guide',                              200, () => '/docs/faults'],
  ['the OpenAPI document',                 200, () => '/openapi.json'],
]

function ids(count: number): string {
  return Array.from({ length: count }, (_, n) => id('user', n + 1)).join()
}

function cursor(project: string, json: string): string {
  return `${api}/projects/${project}/tasks?sort=number&cursor=${Buffer.from(json).toString('base64url')}`
}

const header = (name: string, unit: string | ((n: number) => string), separator = '', start = '', end = '') =>
  fill(maxHeaderBytes, `${name}: ${start}`, unit, end, separator)
const many = (line: string) =>
  Array.from({ length: Math.min(manyHeaders, Math.floor(maxHeaderBytes / line.length)) }, () => line)

const list = (place: Place) => `GET ${api}/projects/${place.project}/tasks`
const health = () => 'GET /healthz'
const complete = (place: Place) => `POST ${api}/projects/${place.project}/tasks/${place.task}/complete`

// prettier-ignore
const headers: [name: string, status: number, line: (place: Place) => string, headers: (place: Place) => string[]][] = [
  ['If-None-Match with many tags',         200, list,     () => [header('If-None-Match', '""', ',')]],
  ['If-None-Match with many weak tags',    200, list,     () => [header('If-None-Match', 'W/"a"', ',')]],
  ['If-None-Match with many tags, malformed', 200, list,  () => [header('If-None-Match', '""', ',', '', 'x')]],
  ['If-None-Match with one long tag',      200, list,     () => [header('If-None-Match', 'a', '', '"', '"')]],
  ['If-None-Match with spaces',            200, list,     () => [header('If-None-Match', ' ', '', '"a"', 'x')]],
  ['If-None-Match with an open quote',     200, list,     () => [header('If-None-Match', 'a', '', '"')]],
  ['If-None-Match with quotes',            200, list,     () => [header('If-None-Match', '"')]],
  ['If-None-Match with commas',            200, list,     () => [header('If-None-Match', ',')]],
  ['If-None-Match, many times',            200, list,     () => many('If-None-Match: "a"')],
  ['If-Match with many tags',              412, complete, () => [header('If-Match', '""', ',')]],
  ['If-Match with many tags of tasks',     412, complete, () => [header('If-Match', '"0.1"', ',')]],
  ['If-Match with dots',                   412, complete, () => [header('If-Match', '.', '', '"', '"')]],
  ['If-Match with many tags, malformed',   400, complete, () => [header('If-Match', '""', ',', '', 'x')]],
  ['Accept-Encoding with many names',      200, list,     () => [header('Accept-Encoding', 'a', ',')]],
  ['Accept-Encoding with many different names', 200, list, () => [header('Accept-Encoding', (n) => n.toString(36), ',')]],
  ['Accept-Encoding with many weights',    200, list,     () => [header('Accept-Encoding', 'br;q=0.001', ',')]],
  ['Accept-Encoding with many parameters', 200, list,     () => [header('Accept-Encoding', ';')]],
  ['Accept-Encoding with commas',          200, list,     () => [header('Accept-Encoding', ',')]],
  ['Accept-Encoding, many times',          200, list,     () => many('Accept-Encoding: a')],
  ['Accept with many types',               200, list,     () => [header('Accept', 'a/b;q=0.1', ',')]],
  ['traceparent',                          200, list,     () => [header('traceparent', 'a', '', `01-${'a'.repeat(32)}-${'a'.repeat(16)}-01-`)]],
  ['traceparent of digits',                200, list,     () => [header('traceparent', '0')]],
  ['X-Request-Id',                         200, health,   () => [header('X-Request-Id', 'a')]],
  ['X-Request-Id, many times',             200, health,   () => many('X-Request-Id: a')],
  ['X-Forwarded-For with many hops',       200, health,   () => [header('X-Forwarded-For', '1', ',')]],
  ['X-Forwarded-For with commas',          200, health,   () => [header('X-Forwarded-For', ',')]],
  ['X-Forwarded-For, many times',          200, health,   () => many('X-Forwarded-For: 1')],
  ['Authorization, many times',            200, list,     ({ key }) => many(`Authorization: Bearer ${key}`)],
  ['Authorization with spaces',            401, list,     () => [header('Authorization', ' ', '', 'Bearer', 'x y')]],
  ['Authorization with one long key',      400, list,     () => [header('Authorization', 'a', '', 'Bearer ')]],
  ['X-API-Key with many keys',             200, list,     ({ key }) => [header('X-API-Key', key, ',')]],
  ['X-API-Key with many different keys',   400, list,     () => [header('X-API-Key', (n) => n.toString(36), ',')]],
  ['X-API-Key with commas',                400, list,     () => [header('X-API-Key', ',')]],
  ['Idempotency-Key',                      400, complete, () => [header('Idempotency-Key', 'a')]],
  ['Cookie',                               200, health,   () => [header('Cookie', 'a=b', ';')]],
  ['Cookie, many times',                   200, health,   () => many('Cookie: a')],
  ['Set-Cookie, many times',               200, health,   () => many('Set-Cookie: a')],
  ['Content-Type with spaces',             415, complete, () => ['Transfer-Encoding: chunked', header('Content-Type', ' ', '', 'application/json', 'x')]],
  ['Connection with many options',         200, health,   () => [header('Connection', 'a', ',')]],
  ['Origin',                               200, health,   () => [header('Origin', 'a')]],
  ['a preflight with many headers',        204, () => `OPTIONS ${api}/projects`, () => ['Origin: https://app.example.org', 'Access-Control-Request-Method: POST', header('Access-Control-Request-Headers', 'a', ',')]],
  [`${manyHeaders} headers`,               200, health,   () => Array.from({ length: manyHeaders }, () => 'a:')],
  ['many different headers',               200, health,   () => Array.from({ length: manyHeaders }, (_, n) => `${n.toString(36)}:`)],
]

export const largestInputs: LargeInput[] = [
  ...taskBodies.map(([name, status, body]) => ({
    name: `new task: ${name}`,
    status,
    request: (place: Place) => request(`POST ${api}/projects/${place.large}/tasks`, place, [], body),
  })),
  ...projectBodies.map(([name, status, body]) => ({
    name: `new project: ${name}`,
    status,
    request: (place: Place) => request(`POST ${api}/projects`, place, [], body),
  })),
  ...targets.map(([name, status, targetOf]) => ({
    name: `target: ${name}`,
    status,
    request: (place: Place) => request(`GET ${targetOf(place)}`, place),
  })),
  ...headers.map(([name, status, line, headersOf]) => ({
    name: `header: ${name}`,
    status,
    request: (place: Place) => request(line(place), place, headersOf(place)),
  })),
]
