// Parsers accept exactly the values that match the documented schemas, at every bound.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { readBody, type BodySchema } from '../../src/api/input/body.ts'
import { parseQuery } from '../../src/api/input/query-string.ts'
import { Problem } from '../../src/api/problems/problem.ts'
import { candidates, stranger } from './candidates.ts'
import { checkOf, follow, operations, resolve } from './document.ts'

type Schema = Record<string, any>

// prettier-ignore
const probes = [
  '', ' ', 'x', 'none', 'true', 'TRUE', '0', '1', '-1', '1.5', '2.0001', '30', '31', '100', '201', '1000000000000000', '2147483648', 'null', ',', 'a,', 'open,completed', 'open,open',
  'name', '-name', 'tags', 'files,files', 'a'.repeat(101), 'a'.repeat(201), 'a'.repeat(1_001), 'x\u0301', stranger, `${stranger},none`, `${stranger} `, '2026-11-21', '2026-02-30', '2026-11-21T09:30:00Z',
  '2026-11-21T09:30:00', '2026-11-21T24:00:00Z', 'UTC', `sha256:${'0'.repeat(64)}`, `sha256:${'0'.repeat(63)}`, '\u200b', 'AB', 'A', 'ABCDEFGHIJKL', 'ABCDEFGHIJKLM', '1AB', 'ab',
]

const isNoDay = (text: string) => text === '2026-02-30'

/** Parameters with rules that JSON Schema cannot express: parsers can refuse values that match the schema. */
// prettier-ignore
const beyondSchema: Record<string, (text: string) => boolean> = {
  q:        (text) => !/[\p{L}\p{N}]/u.test(text),
  timezone: () => true,
  wait:     (text) => /\.\d{4}/.test(text),
  startDate: isNoDay,
  dueDate: isNoDay,
  ...Object.fromEntries(['changed', 'due', 'completed', 'created', 'updated', 'spent', 'started'].flatMap((event) => [[`${event}After`, isNoDay], [`${event}Before`, isNoDay]])),
}

const texts = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value))

/** Converts a text to the value that a client would have sent according to the schema. */
function valueOf(schema: Schema, text: string): unknown {
  if (schema['$ref']) return valueOf(resolve(schema['$ref']), text)
  if (schema['type'] === 'array')
    return text === '' ? [] : text.split(',').map((item) => valueOf(schema['items'], item))
  if (schema['type'] === 'boolean') return { true: true, false: false }[text] ?? text
  return /number|integer/.test(schema['type']) && text === String(Number(text)) ? Number(text) : text
}

/** The faults of a request. None uses the messages of the validation library, which repeat the received value. */
function faultsOf(error: unknown) {
  assert.ok(error instanceof Problem && error.code === 'VALIDATION_FAILED', String(error))
  assert.doesNotMatch(error.detail, /Invalid|Received|Expected/)
  return error.faults
}

const seen = new Set<string>()

for (const { name: operation, endpoint, query } of operations) {
  for (const { name, schema, example } of query) {
    // Most parameters belong to many lists.
    const content = JSON.stringify([name, schema])
    if (seen.has(content)) continue
    seen.add(content)
    const one = v.object({ [name]: endpoint.query.entries[name]! })

    const parse = (text: string) => {
      try {
        return parseQuery(one, `${name}=${encodeURIComponent(text)}`)
      } catch (error) {
        assert.deepEqual(faultsOf(error).map((fault) => fault.name), [name]) // prettier-ignore
        return undefined
      }
    }

    test(`${operation}: ${name} accepts exactly the values that match its schema`, () => {
      const fits = checkOf(schema)
      for (const value of [...candidates(schema, resolve), ...probes.map((text) => valueOf(schema, text))]) {
        const text = texts(value)
        const accepted = parse(text) !== undefined
        if (!accepted && beyondSchema[name]?.(text)) continue
        assert.equal(accepted, fits(value), `${text.slice(0, 100)} (${text.length} characters)`)
      }
      // Only a response contains a valid cursor.
      if (name === 'cursor') assert.equal(example, undefined)
      else assert.ok(fits(example) && parse(texts(example)), `the example ${JSON.stringify(example)}`)
    })

    test(`${operation}: omitting ${name} is the same as sending its default`, () => {
      const without = parseQuery(one, '')[name] ?? null
      assert.equal('default' in schema, without !== null && !Array.isArray(without))
      if (without !== null) assert.deepEqual(parse(texts(schema['default'] ?? [])), { [name]: without })
    })
  }
}

async function read(schema: BodySchema, value: unknown): Promise<unknown> {
  const incoming = {
    headers: { 'content-type': ['application/json'] },
    hasBody: true,
    readBody: () => Promise.resolve(Buffer.from(JSON.stringify(value))),
  }
  return readBody(schema, incoming as never, 'service').catch((error: unknown) => {
    assert.ok(faultsOf(error).length > 0)
  })
}

const bodyProbes = [...probes, null, true, 0, 1.5, -1, 2_147_483_648, [], {}, [null], ['x'], [[]], [{}]]

for (const { name, endpoint, operation } of operations) {
  if (endpoint.kind !== 'write') continue
  test(`${name}: the body accepts exactly the values that match its schema`, async () => {
    const { schema, example = {} } = operation.requestBody!.content['application/json']!
    const body = follow(schema)
    const fits = checkOf(schema)
    const [first] = candidates(schema, resolve) as [object]
    const probed = Object.keys(body['properties']).flatMap((field) =>
      bodyProbes.map((value) => ({ ...first, [field]: value })),
    )
    for (const value of [...candidates(schema, resolve), ...probed]) {
      const parsed = await read(endpoint.body, value)
      assert.equal(parsed !== undefined, fits(value), JSON.stringify(value).slice(0, 200))
    }
    assert.ok(fits(example) && (await read(endpoint.body, example)))
  })

  test(`${name}: an omitted field is the same as its default and as null`, async () => {
    const { schema } = operation.requestBody!.content['application/json']!
    const body = follow(schema)
    const [first] = candidates(schema, resolve) as [object]
    const without = (await read(endpoint.body, first)) as Record<string, unknown>
    for (const [field, property] of Object.entries<Schema>(body['properties'])) {
      if (body['required'].includes(field)) continue
      const isOpen = ['array', 'object'].some((type) => [property['type']].flat().includes(type))
      if (isOpen) assert.match(property['description'], /Default: /)
      const fallback = isOpen ? without[field] : (property['default'] ?? null)
      assert.deepEqual(without[field], fallback, field)
      assert.deepEqual(await read(endpoint.body, { ...first, [field]: fallback }), without)
      assert.deepEqual(await read(endpoint.body, { ...first, [field]: null }), without)
    }
  })
}
