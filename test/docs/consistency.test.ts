// Objects are consistent, as the guide to compatibility promises for new ones: an object of a project contains its id,
// and the name of a field tells its type.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { document, follow, operations } from './document.ts'

type Schema = Record<string, any>

// Users and teams can belong to several projects.
const shared = ['/projects/:projectId/users', '/projects/:projectId/teams']

for (const { name, path, operation } of operations) {
  if (!/^GET \/projects\/:projectId\/[\w-]+$/.test(name) || shared.includes(path)) continue
  test(`${name} lists objects with a projectId`, () => {
    const page = follow(operation.responses['200']!.content!['application/json']!.schema)
    const item: Schema = follow(page['properties'].data.items)
    assert.ok(item['required'].includes('projectId'), item['title'])
  })
}

const fields = Object.values(document['components'].schemas as Record<string, Schema>).flatMap(
  ({ properties = {} }) => Object.entries(properties) as [string, Schema][],
)
const named = (ending: RegExp) => fields.filter(([field]) => ending.test(field)).map(([, schema]) => follow(schema))

// prettier-ignore
const types: [kind: string, ending: RegExp, isOfType: (schema: Schema) => boolean][] = [
  ['times end with At',            /[a-z]At$/,        ({ format }) => format === 'date-time'],
  ['dates end with On or Date',    /[a-z0-9](On|Date)$/, ({ format }) => format === 'date'],
  ['durations end with Seconds',   /Seconds$/,        ({ type }) => [type].flat()[0] === 'integer'],
]
for (const [kind, ending, isOfType] of types) {
  test(kind, () => {
    const schemas = named(ending)
    assert.ok(schemas.length > 0)
    assert.deepEqual(
      schemas.filter((schema) => !isOfType(schema)),
      [],
    )
  })
}

test('fields with another name are no times', () =>
  assert.deepEqual(
    fields.filter(([field, schema]) => follow(schema)['format'] === 'date-time' && !/(^at|At)$/.test(field)),
    [],
  ))
