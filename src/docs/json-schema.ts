// Converts valibot schemas to JSON Schema for OpenAPI 3.1.
//
// A schema whose pipe ends with v.metadata({ ref: 'Task' }) is written to components/schemas under this name and
// referenced everywhere else, and so are the enumerations listed below. Other metadata is copied into the JSON Schema,
// for constraints that a check cannot express: v.metadata({ format: 'date' }).

import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema'
import { isDeepStrictEqual } from 'node:util'
import type * as v from 'valibot'
import { operations, scopeModes } from '../api/access/key.ts'
import { steps } from '../resources/analytics/range.ts'
import { memberRoles, priorities, projectStatuses, stageCategories, taskStates } from '../api/input/values.ts'

export type { JsonSchema }

const enumerations = new Map<unknown, string>([
  [scopeModes, 'ScopeMode'],
  [operations, 'Operation'],
  [projectStatuses, 'ProjectStatus'],
  [memberRoles, 'MemberRole'],
  [stageCategories, 'StageCategory'],
  [taskStates, 'TaskState'],
  [priorities, 'Priority'],
  [steps, 'Interval'],
])

/** Responses may contain new values of these in future versions. */
const extensible = ['Operation', 'Interval']
const extensibleNote = { description: 'New values may be added.', 'x-extensible': true }

/** Actions that JSON Schema cannot express. */
const ignoreActions = ['check', 'raw_check', 'partial_check', 'every_item', 'transform', 'to_lower_case']

export type Schemas = ReturnType<typeof createSchemas>

export function createSchemas() {
  /** The named schemas so far, for components/schemas. */
  const named: Record<string, JsonSchema> = {}

  function addNamed(name: string, converted: JsonSchema): JsonSchema {
    const schema = makePortable(converted)
    if (name in named && !isDeepStrictEqual(named[name], schema)) throw new Error(`two schemas have the name ${name}`)
    named[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Converts the input or the output type of the schema, or the values that a query parameter can have if present. */
  function convert(schema: v.GenericSchema, kind: 'input' | 'output' | 'present'): JsonSchema {
    const { $schema: _, ...converted } = toJsonSchema(schema, {
      typeMode: kind === 'input' ? 'input' : 'output',
      target: 'draft-2020-12',
      ignoreActions,
      overrideSchema({ valibotSchema, jsonSchema }) {
        const name = 'options' in valibotSchema && enumerations.get(valibotSchema.options)
        if (name) return addNamed(name, extensible.includes(name) ? { ...jsonSchema, ...extensibleNote } : jsonSchema)
        if (valibotSchema.type === 'object' && kind === 'input') jsonSchema.additionalProperties = false
        if (jsonSchema.required?.length === 0) delete jsonSchema.required
        return simplifyNullable(jsonSchema, kind === 'present')
      },
      overrideAction({ valibotAction, jsonSchema }) {
        if (valibotAction.type === 'max_code_points') return { ...jsonSchema, maxLength: requirementOf(valibotAction) }
        const { ref, ...rest } = jsonSchema as JsonSchema & { ref?: string }
        return ref === undefined ? undefined : addNamed(ref, rest)
      },
    })
    return makePortable(converted)
  }

  return { convert, named }
}

const requirementOf = (action: object) => (action as v.MaxCodePointsAction<string, number, undefined>).requirement

/**
 * Writes a nullable schema as one type where possible, and drops null as the default. In a query string, neither null nor
 * any default appears: they are the values of an absent parameter.
 */
function simplifyNullable({ anyOf, ...rest }: JsonSchema, isPresent: boolean): JsonSchema {
  if (isPresent || rest.default === null) delete rest.default
  const [first, second] = (anyOf ?? []) as JsonSchema[]
  if (!first || second?.type !== 'null') return { ...(anyOf && { anyOf }), ...rest }
  if (isPresent) return { ...first, ...rest }
  const { type } = first
  const isPlain = typeof type === 'string' && !('enum' in first) && !('anyOf' in first)
  return isPlain ? { ...first, type: [type, 'null'], ...rest } : { anyOf: anyOf!, ...rest }
}

// The generators of clients read less of JSON Schema than it allows.
const [minInt32, maxInt32] = [-2_147_483_648, 2_147_483_647]

function makePortable<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(makePortable) as Part
  const inside = Object.entries(part).map(([name, member]) => [name, makePortable(member)])
  return rewrite(Object.fromEntries(inside)) as Part
}

function rewrite(schema: JsonSchema): JsonSchema {
  // Java does not compile with a list or an object as the default, and Rust ignores it.
  if (typeof schema.default === 'object') delete schema.default
  // Without a type, a constant is any value.
  if (typeof schema.const === 'string') return { type: 'string', ...schema }
  // Clients in Go, Java and Rust have 32 bits for an integer without a format.
  if (isLongInteger(schema)) return { ...schema, format: 'int64' }
  return schema
}

function isLongInteger({ type, minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  return [type].flat().includes('integer') && (minimum < minInt32 || maximum > maxInt32)
}
