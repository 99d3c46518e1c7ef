// The guide "Limits" states the limits of the code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { describeSettings } from '../../src/config/config.ts'
import { follow, operations } from './document.ts'

const guide = readFileSync('src/docs/guides/limits.md', 'utf8')
const textOf = (cell: string) => cell.trim().replace(/`|\[|\]\([^)]*\)/g, '')
const rows = [...guide.matchAll(/^\|(.*)\|$/gm)].map(([, row]) => {
  const [label, ...cells] = row!.split('|').map(textOf)
  return { label: label!, cells }
})

const english = (n: number) => n.toLocaleString('en-US')
const seconds = (ms: number) => `${ms / 1_000} seconds`
const kib = (bytes: number) => `${bytes / 1_024} KiB`
const setting = (name: string) => Number(describeSettings().find((one) => one.name === name)!.fallback)

/** The number that a file gives a name, or the product of several. */
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
const body = number('src/api/input/body.ts', 'maxBytes')

const maxPageBytes = number('src/api/lists/page-query.ts', 'maxPageBytes')

// The first column of the table, and the beginnings of the other cells; undefined for a cell without a number.
// prettier-ignore
const documented: [label: string, ...cells: (string | undefined)[]][] = [
  ['Requests of a key',                        `${english(setting('RATE_LIMIT_PER_MINUTE'))} a minute`],
  ['Requests with different invalid credentials', `${number('src/api/access/rate-limit.ts', 'failuresPerMinute')} a minute`],
  ['Selected projects of a key',               english(number('src/api/access/key.ts', 'maxSelectedProjects'))],
  ['Path and query',                           `${english(number('src/api/app.ts', 'maxTargetLength'))} characters`],
  ['Request line and headers',                 `less than ${kib(number('src/server/http/listen.ts', 'maxHeaderSize'))}`],
  ['Body',                                     `${kib(body)} (${english(body)} bytes)`],
  ['Levels of a body',                         `${number('src/api/input/body-limits.ts', 'maxLevels')} levels`],
  ['Values in a body',                         `${number('src/api/input/body-limits.ts', 'maxValues')}, `],
  ['Time to receive the headers',           seconds(number('src/server/http/listen.ts', 'headersTimeout'))],
  ['Time to receive the body',              seconds(number('src/server/http/receive-body.ts', 'bodyTimeoutMs'))],
  ['Bodies of all requests that have no response yet', `${number('src/server/http/receive-body.ts', 'maxBytesOfBodies') / 1_048_576} MiB`],
  ['limit',                                    `${values(limit)}, default ${limit['default']}`],
  ['Values of one filter',                     english(schemaOf('listTasks', 'state')['maxItems'])],
  ['q',                                        upTo('listTasks', 'q')],
  ['pathPrefix',                               upTo('listDocuments', 'pathPrefix')],
  ['A name in tag',                            `${schemaOf('listTasks', 'tag')['items'].maxLength} characters`],
  ['An id in externalId',                      `${schemaOf('listTasks', 'externalId')['items'].maxLength} characters`],
  ['Entries of errors in an error',                english(number('src/api/problems/problem.ts', 'maxFaults'))],
  ['Items of a page',                          `${kib(maxPageBytes)} of JSON`],
  ['Intervals of progress and time',              english(number('src/resources/analytics/range.ts', 'maxBuckets'))],
  ['Rows of time by user or task',             english(number('src/resources/analytics/get-time-report.ts', 'maxGroups'))],
  ['Subtasks, changes, files and documents',   `${number('src/resources/work-packets/work-packet.ts', 'maxItems')} each`],
  ['Future days that a forecast covers',         english(number('src/resources/analytics/forecast.ts', 'horizonDays'))],
  ['Responses that are compressed',          `more than ${kib(number('src/api/responses/representation.ts', 'minBytesToCompress'))}`],
  ['wait of changes and verification',         `${values(schemaOf('verifyWorkPacket', 'wait'))} seconds`],
  ['Requests that wait at the same time',             english(setting('MAX_WAITERS'))],
  ['Time of a database statement',      seconds(setting('STATEMENT_TIMEOUT_MS'))],
  ['Waiting for a database connection', `${seconds(number('src/db/pool/pool.ts', 'waitForConnectionMs'))}, and ${number('src/db/pool/pool.ts', 'waitersPerConnection')} statements`],
  ['Opening a database connection', seconds(1_000 * number('src/db/pool/connection.ts', 'connectTimeoutSeconds'))],
  ['Open connections',                         english(setting('MAX_CONNECTIONS'))],
  ['Connections from one address',             english(setting('MAX_CONNECTIONS_PER_ADDRESS'))],
  ['Requests of a connection that have no complete response yet', english(number('src/server/http/connection.ts', 'maxRunningPerConnection'))],
  ['Unread responses, and requests sent in advance, of all connections', `${number('src/server/http/client-memory.ts', 'maxClientBytes') / 1_048_576} MiB`],
  ['Idle time between two requests',        seconds(number('src/server/http/listen.ts', 'keepAliveTimeout'))],
  ['Time without any data on a connection',      seconds(number('src/server/http/listen.ts', 'silentSocketMs'))],
  ['Requests running at shutdown',             seconds(setting('SHUTDOWN_GRACE_MS'))],
  ['name, title',                              lengths(schemaOf('createProject', 'name')), lengths(schemaOf('createTask', 'title'))],
  ['description',                              upTo('createProject', 'description'), upTo('createTask', 'description')],
  ['stages',                                   `${from(stages['minItems'], stages['maxItems'])}, each with name (${lengths(follow(stages['items']).properties.name)})`],
  ['watcherIds',                               undefined, `${schemaOf('createTask', 'watcherIds')['maxItems']} users`],
  ['tags',                                     undefined, `${tags['maxItems']} names of ${lengths(tags['items'])}`],
  ['estimateSeconds',                          undefined, values(schemaOf('createTask', 'estimateSeconds'))],
  ['externalId',                               undefined, lengths(schemaOf('createTask', 'externalId'))],
  ['externalUrl',                              undefined, upTo('createTask', 'externalUrl')],
]

for (const [label, ...cells] of documented) {
  test(`${label}: ${cells.filter(Boolean).join(', ')}`, () => {
    const row = rows.find((one) => one.label === label) ?? rows.find((one) => one.label.startsWith(label))
    assert.ok(row, `no row for ${label}`)
    for (const [at, cell] of cells.entries()) if (cell) assert.equal(row.cells[at]!.slice(0, cell.length), cell)
  })
}
