// Every request of the reference succeeds on the demo data, whatever its day and size. "Test Request" sends the examples
// of path parameters and bodies, and those of optional parameters that the user ticks.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { today } from '../../src/api/input/values.ts'
import { fillWithDemo, type DemoOptions } from '../../src/commands/demo/fill.ts'
import { openDatabase } from '../../src/db/database.ts'
import { demoIds } from '../../src/docs/parameters.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { follow, operations, type Documented, type Parameter } from './document.ts'

const demos: DemoOptions[] = [
  { projects: 3, tasks: 60, until: today() },
  { projects: 12, tasks: 500, until: '2024-02-29' },
]

const parametersOf = ({ operation }: Documented) => operation.parameters!.map(follow)
const isTicked = (parameter: Parameter) => parameter['x-try-it'] === true
const isOptional = ({ in: place, name }: Parameter) => place !== 'path' && name !== 'cursor'

/** The request that the reference sends if these optional parameters are ticked. */
function requestOf(documented: Documented, ticked: Parameter[]) {
  const { name, path, operation } = documented
  const pathParameters = new Map(parametersOf(documented).map((parameter) => [parameter.name, parameter.example]))
  const query = ticked.filter((parameter) => parameter.in === 'query')
  const headers = ticked.filter((parameter) => parameter.in === 'header')
  const search = query.map((parameter) => `${parameter.name}=${encodeURIComponent(String(parameter.example))}`)
  const target = path.replaceAll(/:(\w+)/g, (_, parameter: string) => String(pathParameters.get(parameter)))
  const body = operation.requestBody?.content['application/json']!.example
  return {
    line: `${name.split(' ')[0]} ${[target, search.join('&')].filter(Boolean).join('?')}`,
    headers: {
      ...Object.fromEntries(headers.map((parameter) => [parameter.name, String(parameter.example)])),
      ...(operation.requestBody && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

const suites = await Promise.all(
  demos.map(async (options) => {
    const suite = await contractSuite()
    const db = openDatabase({ target: { url: suite.workgate.url }, poolSize: 1, statementTimeoutMs: 60_000 })
    await fillWithDemo(db, options)
    await db.close()
    return { ...suite, options }
  }),
)

for (const { options, workgate, key, get } of suites) {
  async function send(documented: Documented, ticked: Parameter[]) {
    const { line, ...request } = requestOf(documented, ticked)
    const reply = await workgate.send(line, { key, ...request })
    return { line, reply }
  }

  describe(`in a demo with ${options.tasks} tasks up to ${options.until}`, () => {
    for (const documented of operations) {
      const optional = parametersOf(documented).filter(isOptional)
      const always = optional.filter(isTicked)

      test(`${documented.name} succeeds as it is`, async () => {
        const { line, reply } = await send(documented, always)
        assert.match(String(reply.status), /^20[01]$/, `${line}: ${reply.text}`)
      })

      test(`${documented.name} succeeds with every optional parameter`, async () => {
        const accepted = optional.filter(({ name }) => name !== 'If-Match')
        for (const ticked of [...accepted.map((one) => [one]), accepted]) {
          const { line, reply } = await send(documented, [...new Set([...always, ...ticked])])
          assert.match(String(reply.status), /^20[01]$/, `${line}: ${reply.text}`)
        }
      })
    }

    // prettier-ignore
    const lists: [path: string, filters: (keyof typeof demoIds)[]][] = [
      ['tasks',        ['boardId', 'stageId', 'assigneeId', 'creatorId', 'watcherId', 'parentId']],
      ['comments',     ['taskId', 'authorId']],
      ['time-entries', ['taskId', 'userId']],
      ['documents',    ['taskId', 'authorId']],
      ['stages',       ['boardId']],
      ['users',        ['teamId']],
    ]
    for (const [path, filters] of lists) {
      test(`the ids in the filters of ${path} find something`, async () => {
        for (const filter of filters) {
          const { body } = await get(`/projects/${demoIds.projectId}/${path}?${filter}=${demoIds[filter]}`)
          assert.ok(body.data.length > 0, filter)
        }
      })
    }
  })
}

test('periods begin before they end', () => {
  const pairs = operations.flatMap(({ query }) =>
    query.map(({ name, example }) => {
      const end = name === 'from' ? 'to' : name.replace(/After$/, 'Before')
      const found = end !== name && query.find((other) => other.name === end)
      return found ? [example as string, found.example as string] : undefined
    }),
  )
  const found = pairs.filter((pair) => pair !== undefined)
  assert.ok(found.length > 10)
  for (const [start, end] of found) assert.ok(start! < end!, `${start} ${end}`)
})
