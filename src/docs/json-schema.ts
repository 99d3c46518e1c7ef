// From valibot's schemas to JSON Schema as OpenAPI 3.1 takes it.
//
// A schema whose pipe ends with v.metadata({ ref: 'Task' }) stands in components/schemas under this name, and wherever it is
// used there is a reference to it; so do the enumerations named below. Other metadata goes into the JSON Schema as it is:
// what a check cannot say of itself, v.metadata({ format: 'date' }) beside it says.

import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema'
import { isDeepStrictEqual } from 'node:util'
import type * as v from 'valibot'
import { operations, scopeModes } from '../api/access/key.ts'
import { steps } from '../resources/analytics/range.ts'
import { memberRoles, priorities, projectStatuses, stageCategories, taskStates } from '../api/schema/values.ts'

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

/** What says nothing about the form of a value that JSON Schema could say. */
const ignoreActions = ['check', 'partial_check', 'every_item', 'transform', 'to_lower_case']

export interface Schemas {
  /** What the schema takes, or what comes out of it. */
  convert(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema
  /** For components/schemas: all that were named so far. */
  named: Record<string, JsonSchema>
}

export function createSchemas(): Schemas {
  const named: Record<string, JsonSchema> = {}

  function refer(name: string, schema: JsonSchema): JsonSchema {
    if (name in named && !isDeepStrictEqual(named[name], schema)) throw new Error(`two schemas have the name ${name}`)
    named[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  function convert(schema: v.GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...converted } = toJsonSchema(schema, {
      typeMode,
      target: 'draft-2020-12',
      ignoreActions,
      overrideSchema({ valibotSchema, jsonSchema }) {
        const name = 'options' in valibotSchema && enumerations.get(valibotSchema.options)
        if (name) return refer(name, jsonSchema)
        if (valibotSchema.type === 'object' && typeMode === 'input') jsonSchema.additionalProperties = false
        if (jsonSchema.required?.length === 0) delete jsonSchema.required
        return withoutUnion(jsonSchema)
      },
      overrideAction({ valibotAction, jsonSchema }) {
        if (valibotAction.type === 'max_code_points') return { ...jsonSchema, maxLength: requirementOf(valibotAction) }
        const { ref, ...rest } = jsonSchema as JsonSchema & { ref?: string }
        return ref === undefined ? undefined : refer(ref, rest)
      },
    })
    return converted
  }

  return { convert, named }
}

const requirementOf = (action: object) => (action as v.MaxCodePointsAction<string, number, undefined>).requirement

/** Of what may be null: as one type where that is possible, and without null as the default, which says nothing. */
function withoutUnion({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (rest.default === null) delete rest.default
  const [first, second] = (anyOf ?? []) as JsonSchema[]
  if (!first || second?.type !== 'null') return { ...(anyOf && { anyOf }), ...rest }
  const { type } = first
  const isPlain = typeof type === 'string' && !('enum' in first) && !('anyOf' in first)
  return isPlain ? { ...first, type: [type, 'null'], ...rest } : { anyOf: anyOf!, ...rest }
}
