// Compiles the response schemas of the OpenAPI document into validators: once for all test files, because it would take
// each of them a quarter of a second. Objects may contain only documented members.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import formats from 'ajv-formats'
import { document, operations } from '../docs/document.ts'
import { nameOfCheck, validatorsFile, type Operation } from './conformance.ts'

export async function compileResponseSchemas(folder: string): Promise<void> {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, code: { source: true } })
  formats.default(ajv, ['date', 'date-time', 'uuid', 'uri-reference', 'int64'])
  ajv.addVocabulary(['components', 'x-extensible'])
  ajv.addSchema({ components: { schemas: closed(document['components'].schemas) } }, 'document')
  const checked = new Map<string, object>([['problem', { $ref: '#/components/schemas/Problem' }]])
  const list = operations.map(({ name, path, operation: { operationId: id, responses } }): Operation => {
    const codes: Operation['codes'] = {}
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const { 'application/json': success, 'application/problem+json': problem } = content
      if (success) checked.set(nameOfCheck(id, status), success.schema)
      if (problem) codes[status] = Object.keys(problem.examples!)
    }
    return { id, method: name.split(' ')[0]!, path: path.replaceAll(/:(\w+)/g, '{$1}'), codes }
  })
  for (const [name, schema] of checked) ajv.addSchema(inDocument(closed(schema)), name)
  const checks = standalone(ajv, Object.fromEntries([...checked.keys()].map((name) => [name, name])))
  await writeFile(join(folder, validatorsFile), `${checks}\nexports.operations = ${JSON.stringify(list)}\n`)
}

const inDocument = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object

/** The contract states in words that ids are in lower case, and that times are in UTC with milliseconds. */
const patterns: Record<string, string> = {
  uuid: '^[^A-Z]*$',
  'date-time': '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
}

/** Forbids undocumented members in every object, and other formats of ids and times. */
function closed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(closed) as Value
  const inside = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))
  if ('properties' in value) return { additionalProperties: false, ...inside } as Value
  const pattern = 'format' in value ? patterns[value.format as string] : undefined
  return { ...inside, ...(pattern && { pattern }) } as Value
}
