// Finds the changes of the OpenAPI document that break clients of the released version: the promise of the guide
// "Compatibility", as code.

import { createSchemaComparison, same, show, type Schema } from './schema-compatibility.ts'

export interface ApiDocument {
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Schema>>
  components: Record<string, Record<string, Schema>>
}

const methods = ['get', 'post', 'put', 'patch', 'delete']
/** An announced removal leaves clients this much time. */
const minNoticeDays = 365
const dayMs = 86_400_000

/** Returns one line for each breaking change. Removals are allowed once an announced date, at most today, has passed. */
export function findBreakingChanges(released: ApiDocument, current: ApiDocument, today: string): string[] {
  const compare = createSchemaComparison(released, current)

  function compareOperation(before: Schema, after: Schema, name: string): string[] {
    const changes = ['operationId', 'tags', 'security']
      .filter((field) => !same(before[field], after[field]))
      .map((field) => `${name}: ${field} changed from ${show(before[field])} to ${show(after[field])}`)
    return [
      ...changes,
      ...compareDeprecation(before, after, name),
      ...compareParameters(before, after, name),
      ...compareBody(before, after, name),
      ...compareResponses(before, after, name),
    ]
  }

  function compareDeprecation(before: Schema, after: Schema, name: string): string[] {
    if (!after['deprecated']) return []
    const [since, sunset] = [after['x-deprecated-since'], after['x-sunset']] as string[]
    if (before['deprecated'] && sunset! < before['x-sunset']) return [`${name}: the sunset moved forward to ${sunset}`]
    const days = (Date.parse(sunset!) - Date.parse(since!)) / dayMs
    return days >= minNoticeDays ? [] : [`${name}: the sunset ${sunset} is less than a year after ${since}`]
  }

  function compareParameters(before: Schema, after: Schema, name: string): string[] {
    const [old, now] = [parametersOf(before, released), parametersOf(after, current)]
    const added = [...now]
      .filter(([key, parameter]) => parameter['required'] && !old.has(key))
      .map(([key]) => `${name}: the new ${key} is required`)
    const kept = [...old].flatMap(([key, parameter]) => {
      const place = `${name}: ${key}`
      const next = now.get(key)
      if (!next) return hasPassed(parameter, today) ? [] : [`${place} was removed`]
      return [
        ...(next['required'] && !parameter['required'] ? [`${place} is now required`] : []),
        ...['style', 'explode']
          .filter((field) => !same(parameter[field], next[field]))
          .map((field) => `${place}: ${field} changed from ${show(parameter[field])} to ${show(next[field])}`),
        ...compareDeprecation(parameter, next, place),
        ...compare(parameter['schema'], next['schema'], 'request', place),
      ]
    })
    return [...added, ...kept]
  }

  function compareBody({ requestBody: before }: Schema, { requestBody: after }: Schema, name: string): string[] {
    if (!before) return after?.required ? [`${name}: a body is now required`] : []
    if (!after) return [`${name}: the body was removed`]
    const required = after.required && !before.required ? [`${name}: a body is now required`] : []
    return [...required, ...compareContent(before, after, 'request', `${name}: body`)]
  }

  function compareResponses(before: Schema, after: Schema, name: string): string[] {
    const isSuccess = (status: string) => /^[123]/.test(status)
    const added = Object.keys(after['responses'])
      .filter((status) => isSuccess(status) && !before['responses'][status])
      .map((status) => `${name}: the new status ${status} is not an error`)
    const kept = Object.entries(before['responses'] as Record<string, Schema>).flatMap(([status, response]) => {
      const place = `${name}: response ${status}`
      const next = after['responses'][status]
      // An error that no longer happens breaks nothing.
      if (!next) return isSuccess(status) ? [`${place} was removed`] : []
      const missing = Object.keys(response['headers'] ?? {}).filter((header) => !(header in (next.headers ?? {})))
      return [
        ...missing.map((header) => `${place}: the header ${header} was removed`),
        ...compareContent(response, next, 'response', place),
      ]
    })
    return [...added, ...kept]
  }

  function compareContent(before: Schema, after: Schema, direction: 'request' | 'response', place: string): string[] {
    return Object.entries((before['content'] ?? {}) as Record<string, Schema>).flatMap(([type, { schema }]) => {
      const next = after['content']?.[type]
      return next ? compare(schema, next.schema, direction, place) : [`${place}: the type ${type} was removed`]
    })
  }

  const servers = same(released.servers, current.servers) ? [] : [`servers changed to ${show(current.servers)}`]
  const remaining = Object.entries(released.paths).flatMap(([path, item]) =>
    Object.entries(item).filter(([method]) => current.paths[path]?.[method]),
  )
  // Generated clients name their types by these.
  const schemas = [...schemasIn(remaining, released)]
    .filter((name) => !current.components['schemas']![name])
    .map((name) => `the schema ${name} was removed or renamed`)
  const operations = Object.entries(released.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .flatMap((method) => {
        const name = `${method.toUpperCase()} ${path}`
        const [before, after] = [item[method]!, current.paths[path]?.[method]]
        if (after) return compareOperation(before, after, name)
        return hasPassed(before, today) ? [] : [`${name} was removed`]
      }),
  )
  const added = Object.entries(current.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] && !released.paths[path]?.[method])
      .flatMap((method) => compareDeprecation({}, item[method]!, `${method.toUpperCase()} ${path}`)),
  )
  return [...servers, ...schemas, ...operations, ...added]
}

/** Returns true if the removal was announced and its date has come. */
const hasPassed = (released: Schema, today: string) =>
  released['deprecated'] === true && (released['x-sunset'] as string) <= today

/** Returns the names of the schemas that a part of the document refers to, directly or through others. */
function schemasIn(part: unknown, document: ApiDocument, found = new Set<string>()): Set<string> {
  for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/(schemas|parameters)\/(\w+)"/g)) {
    if (kind === 'schemas' && found.has(name!)) continue
    if (kind === 'schemas') found.add(name!)
    schemasIn(document.components[kind!]![name!], document, found)
  }
  return found
}

/** By place and name, such as "query parameter sort". */
function parametersOf({ parameters = [] }: Schema, { components }: ApiDocument): Map<string, Schema> {
  const resolved = (parameters as Schema[]).map((parameter) =>
    parameter['$ref'] ? components['parameters']![(parameter['$ref'] as string).split('/').at(-1)!]! : parameter,
  )
  return new Map(resolved.map((parameter) => [`${parameter['in']} parameter ${parameter['name']}`, parameter]))
}

const documentation = ['description', 'summary', 'title', 'example', 'examples', 'license', 'contact']

/** Removes what only people read. A field of an object schema can have the name of such a keyword. */
export function withoutDocumentation<Value>(value: Value, isProperties = false): Value {
  if (Array.isArray(value)) return value.map((item) => withoutDocumentation(item)) as Value
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => isProperties || !documentation.includes(name))
  const entries = kept.map(([name, inner]) => [name, withoutDocumentation(inner, name === 'properties')])
  return Object.fromEntries(entries) as Value
}

/** One line for each path and component, so that a difference between two releases can be read. */
export function formatReleased(document: ApiDocument): string {
  const { info, servers, paths, components } = withoutDocumentation(document)
  const { schemas, parameters } = components
  const lines = (items: object) =>
    Object.entries(items).map(([name, item]) => `${JSON.stringify(name)}: ${JSON.stringify(item)}`).join(',\n') // prettier-ignore
  return `{"info": ${JSON.stringify({ version: info.version })},
"servers": ${JSON.stringify(servers)},
"paths": {
${lines(paths)}
},
"components": {"schemas": {
${lines(schemas!)}
}, "parameters": {
${lines(parameters!)}
}}}
`
}
