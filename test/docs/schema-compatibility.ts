// Compares two versions of a JSON schema: whether every value that clients sent is still accepted, or whether every
// value that clients get was already described.

export type Schema = Record<string, any>

/** A request is what clients send, a response is what they get. */
export type Direction = 'request' | 'response'

interface Side {
  components: Record<string, Record<string, Schema>>
}

/** These keywords describe a schema, or are compared below. Any other one must stay the same. */
const documentation = ['description', 'title', 'examples', 'example', 'deprecated', 'summary']
// prettier-ignore
const compared = [
  'type', 'anyOf', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'default',
  'x-extensible', 'x-enum-varnames', 'x-deprecated-since', 'x-sunset',
]
const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
export const show = (value: unknown) => JSON.stringify(value) ?? 'nothing'

export function createSchemaComparison(released: Side, current: Side) {
  /** Each pair of named schemas is compared once, in each direction: they may refer to each other. */
  const seen = new Set<string>()

  /** Returns the breaking changes of a schema, each with its place. */
  function compare(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    if (before['$ref'] && after['$ref']) {
      const pair = `${direction} ${before['$ref']} ${after['$ref']}`
      if (seen.has(pair)) return []
      seen.add(pair)
    }
    const at = before['$ref'] ? `${place} (${nameOf(before)})` : place
    const [old, now] = [resolve(before, released), resolve(after, current)]
    return compareAlternatives(alternativesOf(old), alternativesOf(now), direction, at)
  }

  function compareAlternatives(before: Schema[], after: Schema[], direction: Direction, place: string): string[] {
    // Every value of a released alternative must fit a current one in requests; the other way round in responses.
    const [given, allowed] = direction === 'request' ? [before, after] : [after, before]
    return given.flatMap((one) => {
      const candidates = allowed.filter((other) => fitsType(typeOf(one), typeOf(other)))
      if (candidates.length === 0) {
        const change = direction === 'request' ? 'is no longer accepted' : 'is new'
        return [`${place}: the type ${typeOf(one)} ${change}`]
      }
      const reports = candidates.map((other) =>
        direction === 'request' ? compareOne(one, other, direction, place) : compareOne(other, one, direction, place),
      )
      return reports.find((report) => report.length === 0) ?? reports[0]!
    })
  }

  function compareOne(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    return [
      ...compareValues(before, after, direction, place),
      ...compareLimits(before, after, direction, place),
      ...compareProperties(before, after, direction, place),
      ...compareItems(before, after, direction, place),
      ...compareOthers(before, after, direction, place),
    ]
  }

  function compareProperties(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    const [old, now] = [before['properties'] ?? {}, after['properties'] ?? {}] as Record<string, Schema>[]
    const [oldRequired, nowRequired] = [before['required'] ?? [], after['required'] ?? []] as string[][]
    const required =
      direction === 'request'
        ? nowRequired!.filter((name) => !oldRequired!.includes(name)).map((name) => `${place}.${name}: is now required`)
        : oldRequired!
            .filter((name) => name in now! && !nowRequired!.includes(name))
            .map((name) => `${place}.${name}: may now be absent`)
    const fields = Object.entries(old!).flatMap(([name, schema]) =>
      now![name] ? compare(schema, now![name], direction, `${place}.${name}`) : [`${place}.${name}: was removed`],
    )
    const [oldRest, nowRest] = [before['additionalProperties'] ?? true, after['additionalProperties'] ?? true]
    const rest =
      typeof oldRest === 'object' && typeof nowRest === 'object'
        ? compare(oldRest, nowRest, direction, `${place}.*`)
        : direction === 'request' && oldRest !== false && !same(oldRest, nowRest)
          ? [`${place}: additional fields are no longer accepted`]
          : direction === 'response' && typeof oldRest === 'object' && nowRest === true
            ? [`${place}: additional fields can have any value`]
            : []
    return [...required, ...fields, ...rest]
  }

  function compareItems(before: Schema, after: Schema, direction: Direction, place: string): string[] {
    if (!before['items'] && !after['items']) return []
    return compare(before['items'] ?? {}, after['items'] ?? {}, direction, `${place}[]`)
  }

  function resolve(schema: Schema, { components }: Side): Schema {
    const { $ref, anyOf, ...rest } = schema
    if (anyOf) return { ...rest, anyOf: (anyOf as Schema[]).map((one) => resolve(one, { components })) }
    if (!$ref) return schema
    const [kind, name] = ($ref as string).split('/').slice(-2) as [string, string]
    return resolve({ ...components[kind]![name], ...rest }, { components })
  }

  return compare
}

const nameOf = (schema: Schema) => (schema['$ref'] as string).split('/').at(-1)!

/** Splits a schema into schemas of one type each. */
function alternativesOf({ anyOf, ...rest }: Schema): Schema[] {
  if (anyOf) return (anyOf as Schema[]).flatMap((one) => alternativesOf({ ...rest, ...one }))
  if (!Array.isArray(rest['type'])) return [rest]
  return (rest['type'] as string[]).map((type) => (type === 'null' ? { type } : { ...rest, type }))
}

function typeOf(schema: Schema): string {
  const values = schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)
  if (schema['type']) return schema['type'] as string
  return values ? (values[0] === null ? 'null' : typeof values[0]) : 'any'
}

const fitsType = (given: string, allowed: string) =>
  allowed === 'any' || given === allowed || (given === 'integer' && allowed === 'number')

function compareValues(before: Schema, after: Schema, direction: Direction, place: string): string[] {
  const valuesOf = (schema: Schema): unknown[] | undefined =>
    schema['enum'] ?? ('const' in schema ? [schema['const']] : undefined)
  const [old, now] = [valuesOf(before), valuesOf(after)]
  const missing = (some: unknown[], from: unknown[]) => some.filter((value) => !from.includes(value)).map(show)
  if (direction === 'request') {
    if (!now) return []
    if (!old) return [`${place}: accepts only ${now.map(show).join(', ')}`]
    return missing(old, now).map((value) => `${place}: no longer accepts ${value}`)
  }
  if (!old || before['x-extensible']) return []
  if (!now) return [`${place}: can have any value`]
  return missing(now, old).map((value) => `${place}: can have the new value ${value}`)
}

function compareLimits(before: Schema, after: Schema, direction: Direction, place: string): string[] {
  const check = (names: string[], isStricter: (limit: number, than: number) => boolean) =>
    names.flatMap((name) => {
      // In a request the limits must not become stricter, in a response they must not become wider.
      const [kept, changed] = direction === 'request' ? [before, after] : [after, before]
      const [from, to] = [kept[name], changed[name]] as (number | undefined)[]
      const isBroken = to !== undefined && (from === undefined || isStricter(to, from))
      return isBroken ? [`${place}: ${name} changed from ${show(before[name])} to ${show(after[name])}`] : []
    })
  return [...check(lowerLimits, (limit, than) => limit > than), ...check(upperLimits, (limit, than) => limit < than)]
}

/** A pattern can be dropped from a request. Anything else that is not known to be compatible must stay the same. */
function compareOthers(before: Schema, after: Schema, direction: Direction, place: string): string[] {
  const known = [...documentation, ...compared, ...lowerLimits, ...upperLimits]
  const names = new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => !known.includes(name)))
  if (direction === 'request') names.add('default')
  return [...names]
    .filter((name) => !same(before[name], after[name]))
    .filter((name) => !(name === 'pattern' && (direction === 'request' ? !after[name] : !before[name])))
    .map((name) => `${place}: ${name} changed from ${show(before[name])} to ${show(after[name])}`)
}
