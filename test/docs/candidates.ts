// Generates values at the bounds of a JSON Schema and just beyond, valid and invalid ones mixed.

type Schema = Record<string, any>

export const stranger = '019aa732-8fa0-7213-a9b4-43aead97a1af'

/** Returns candidate values. The first one is valid. */
export function candidates(schema: Schema, resolve: (ref: string) => Schema): unknown[] {
  if (schema['$ref']) return candidates(resolve(schema['$ref']), resolve)
  if (schema['anyOf']) return schema['anyOf'].flatMap((option: Schema) => candidates(option, resolve))
  if ('const' in schema) return [schema['const'], `${schema['const']}s`]
  if (schema['enum']) return [...schema['enum'], 'nonsense']
  const [type, orNull] = [schema['type']].flat()
  return [...ofType(type, schema, resolve), ...(orNull === 'null' ? [null] : [])]
}

function ofType(type: string, schema: Schema, resolve: (ref: string) => Schema): unknown[] {
  if (type === 'null') return [null]
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return numbers(schema)
  if (type === 'string') return texts(schema)
  if (type === 'array') return arrays(schema, resolve)
  return objects(schema, resolve)
}

function numbers({ minimum, maximum }: Schema): number[] {
  const low = minimum === undefined ? [] : [minimum, minimum - 1]
  const high = maximum === undefined ? [] : [maximum, maximum + 1]
  return [...low, ...high, 1.5]
}

const formats: Record<string, string[]> = {
  uuid: [stranger, stranger.toUpperCase(), `${stranger}0`, 'none'],
  date: ['2026-11-21', '2024-02-29', '2026-02-29', '2026-11-21T00:00:00Z'],
  'date-time': [
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:30:00.123456+05:30',
    '2026-11-21T09:30:00',
    '2026-02-29T09:30:00Z',
  ],
}

function texts({ format, minLength = 0, maxLength }: Schema): string[] {
  if (format) return formats[format]!
  // The second character takes two UTF-16 code units.
  const bounds =
    maxLength === undefined ? [] : ['a', '𝒳'].flatMap((char) => [char.repeat(maxLength), char.repeat(maxLength + 1)])
  return ['a'.repeat(minLength || 1), ...(minLength > 0 ? [''] : []), ...bounds]
}

function arrays({ items, minItems = 0, maxItems }: Schema, resolve: (ref: string) => Schema): unknown[][] {
  const each = candidates(items, resolve)
  const lengths = [minItems - 1, ...(maxItems === undefined ? [] : [maxItems, maxItems + 1])].filter((n) => n >= 0)
  return [
    ...each.map((item) => [item]),
    ...lengths.map((length) => different(length, each[0])).filter((list) => list !== undefined),
  ]
}

/** Returns an array of the given length, with distinct items if possible. */
function different(length: number, first: unknown): unknown[] | undefined {
  const all = Array.from({ length }, (_, n) => n)
  if (first === stranger) return all.map((n) => stranger.slice(0, -3) + String(n).padStart(3, '0'))
  if (typeof first === 'number') return all.map((n) => n + 1)
  if (typeof first === 'object') return all.map(() => first)
  // An enumeration cannot provide many distinct values.
  return first === 'a' ? all.map((n) => `a${n}`) : undefined
}

function objects({ properties = {}, required = [] }: Schema, resolve: (ref: string) => Schema): object[] {
  const firsts = Object.fromEntries(required.map((name: string) => [name, candidates(properties[name], resolve)[0]]))
  return [
    firsts,
    { ...firsts, stranger: 1 },
    ...required.map((name: string) => Object.fromEntries(Object.entries(firsts).filter(([other]) => other !== name))),
    ...Object.entries(properties).flatMap(([name, property]) =>
      candidates(property as Schema, resolve).map((value) => ({ ...firsts, [name]: value })),
    ),
  ]
}
