// The guide "Limits" has the numbers that the code has.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { describeSettings } from '../../src/config/config.ts'
import { textOf } from '../support/html.ts'
import { follow, operations } from './document.ts'
import guide from '../../src/docs/guides/limits.html'

const rows = [...guide.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, label, cells]) => ({
  label: textOf(label!),
  cells: [...cells!.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => textOf(cell!)),
}))

const english = (n: number) => n.toLocaleString('en-US')
const seconds = (ms: number) => `${ms / 1_000} seconds`
const kib = (bytes: number) => `${bytes / 1_024} KiB`
const setting = (name: string) => Number(describeSettings().find((one) => one.name === name)!.fallback)

/** What is given a name in a file: a number, or a product of some. */
function number(file: string, name: string): number {
  const [, factors] = new RegExp(`\\b${name}(?: =|:) (\\d[\\d_ *]*)`).exec(readFileSync(file, 'utf8'))!
  return factors!.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
}

/** The schema of a parameter or of a field of a body. */
function schemaOf(operationId: string, name: string): Record<string, any> {
  const { operation, query } = operations.find((one) => one.operation.operationId === operationId)!
  const body = operation.requestBody && follow(operation.requestBody.content['application/json']!.schema)
  return follow(query.find((one) => one.name === name)?.schema ?? body!['properties'][name])
}

const from = (least: number, most: number) => `${english(least)} to ${english(most)}`
const upTo = (operation: string, name: string) => `${english(schemaOf(operation, name)['maxLength'])} characters`
const lengths = ({ minLength, maxLength }: Record<string, any>) => `${from(minLength, maxLength)} characters`
const values = ({ minimum, maximum }: Record<string, any>) => from(minimum, maximum)

const limit = schemaOf('listTasks', 'limit')
const stages = schemaOf('createProject', 'stages')
const tags = schemaOf('createTask', 'tags')
const body = number('src/api/schema/body.ts', 'maxBytes')

// What stands in the table, and what its cells begin with; undefined where a cell has no number.
// prettier-ignore
const said: [label: string, ...cells: (string | undefined)[]][] = [
  ['Requests of a key',                        `${english(setting('RATE_LIMIT_PER_MINUTE'))} a minute`],
  ['Requests with bad credentials',            `${number('src/api/access/rate-limit.ts', 'failuresPerMinute')} a minute`],
  ['Path and query',                           `${english(number('src/api/app.ts', 'maxTargetLength'))} characters`],
  ['Request line and headers',                 `less than ${kib(number('src/server/http/listen.ts', 'maxHeaderSize'))}`],
  ['Body',                                     `${kib(body)} (${english(body)} bytes)`],
  ['Time for the headers to arrive',           seconds(number('src/server/http/listen.ts', 'headersTimeout'))],
  ['Time for the body to arrive',              seconds(number('src/server/http/receive-body.ts', 'bodyTimeoutMs'))],
  ['limit',                                    `${values(limit)}, default ${limit['default']}`],
  ['Values of one filter',                     english(schemaOf('listTasks', 'state')['maxItems'])],
  ['q',                                        upTo('listTasks', 'q')],
  ['pathPrefix',                               upTo('listDocuments', 'pathPrefix')],
  ['A name in tag',                            `${schemaOf('listTasks', 'tag')['items'].maxLength} characters`],
  ['Faults that an error names',               english(number('src/api/problems/problem.ts', 'maxFaults'))],
  ['Buckets of progress and time',             english(number('src/resources/analytics/range.ts', 'maxBuckets'))],
  ['Rows of time by user or task',             english(number('src/resources/analytics/get-time-report.ts', 'maxGroups'))],
  ['Subtasks, changes, files and documents',   `${number('src/resources/work-packets/work-packet.ts', 'maxItems')} each`],
  ['Days that a forecast looks ahead',         english(number('src/resources/analytics/forecast.ts', 'horizonDays'))],
  ['Size from which it is compressed',         `more than ${kib(number('src/api/responses/representation.ts', 'minBytesToCompress'))}`],
  ['wait of a verification read',              `${values(schemaOf('verifyWorkPacket', 'wait'))} seconds`],
  ['Requests that wait at a time',             english(setting('MAX_WAITERS'))],
  ['Time of a statement in the database',      seconds(setting('STATEMENT_TIMEOUT_MS'))],
  ['Waiting for a connection to the database', `${seconds(number('src/db/pool.ts', 'waitForConnectionMs'))}, and ${number('src/db/pool.ts', 'waitersPerConnection')} statements`],
  ['Open connections',                         english(setting('MAX_CONNECTIONS'))],
  ['A connection between two requests',        seconds(number('src/server/http/listen.ts', 'keepAliveTimeout'))],
  ['A connection on which nothing moves',      seconds(number('src/server/http/listen.ts', 'silentSocketMs'))],
  ['Requests that run at the end',             seconds(setting('SHUTDOWN_GRACE_MS'))],
  ['name, title',                              lengths(schemaOf('createProject', 'name')), lengths(schemaOf('createTask', 'title'))],
  ['description',                              upTo('createProject', 'description'), upTo('createTask', 'description')],
  ['stages',                                   `${from(stages['minItems'], stages['maxItems'])}, each with name (${lengths(follow(stages['items']).properties.name)})`],
  ['watcherIds',                               undefined, `${schemaOf('createTask', 'watcherIds')['maxItems']} users`],
  ['tags',                                     undefined, `${tags['maxItems']} names of ${lengths(tags['items'])}`],
  ['estimateSeconds',                          undefined, values(schemaOf('createTask', 'estimateSeconds'))],
]

for (const [label, ...cells] of said) {
  test(`${label}: ${cells.filter(Boolean).join(', ')}`, () => {
    const row = rows.find((one) => one.label === label) ?? rows.find((one) => one.label.startsWith(label))
    assert.ok(row, `there is no row of ${label}`)
    for (const [at, cell] of cells.entries()) if (cell) assert.equal(row.cells[at]!.slice(0, cell.length), cell)
  })
}
