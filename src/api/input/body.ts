// Parses and validates request bodies. Nothing is ignored: unknown, duplicate or malformed fields are faults.

import * as v from 'valibot'
import type { Owner } from '../../db/pool/connection-shares.ts'
import { invalid, maxFaults, Problem, type Fault } from '../problems/problem.ts'
import type { Incoming } from '../incoming.ts'
import { checkBodyLimits } from './body-limits.ts'
import { describeUnknownName } from './unknown-names.ts'

/** An object of named fields, which may be checked against each other. */
export type BodySchema = v.GenericSchema<unknown, unknown> & { readonly entries: v.ObjectEntries }

const maxBytes = 256 * 1024

/** Returns the output of the schema. An absent body is an empty object. */
export async function readBody<Schema extends BodySchema>(
  schema: Schema,
  incoming: Incoming,
  owner: Owner,
): Promise<v.InferOutput<Schema>> {
  return parse(schema, incoming.hasBody ? readJson(await readText(incoming, owner)) : {})
}

async function readText(incoming: Incoming, owner: Owner): Promise<string> {
  const { 'content-type': types = [], 'content-encoding': encodings = [] } = incoming.headers
  if (types.length !== 1 || !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(types[0]!)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as UTF-8 with "Content-Type: application/json".')
  }
  if (encodings.some((encoding) => encoding.toLowerCase() !== 'identity')) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding is not supported. Send the body uncompressed.')
  }
  const bytes = await incoming.readBody(maxBytes, owner)
  if (!bytes) throw new Problem('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`)
  checkBodyLimits(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('MALFORMED_JSON', 'The body is not valid UTF-8.')
  }
}

function readJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    // The rest of the parser's message quotes the body.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    throw new Problem(
      'MALFORMED_JSON',
      `The body is not valid JSON${position ? `: error at character ${position}` : ''}.`,
    )
  }
  const faults = findInvalidNames(text)
  if (faults.length > 0) throw invalid(...faults)
  return value
}

/** Finds names that JSON.parse silently accepts: duplicates, and names of Object.prototype such as __proto__. */
function findInvalidNames(json: string): Fault[] {
  const faults: Fault[] = []
  const open: { names: Set<string>; at: string | number }[] = []
  for (const [token, text, colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') open.push({ names: new Set(), at: token === '[' ? 0 : '' })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof inner?.at === 'number') inner.at++
    else if (colon) {
      const name = JSON.parse(text!) as string
      inner!.at = name
      const message = inner!.names.has(name)
        ? 'is given more than once'
        : name in Object.prototype
          ? 'is unknown'
          : undefined
      if (message) faults.push({ in: 'body', name: open.map(({ at }) => at).join('.'), message })
      if (faults.length === maxFaults) return faults
      inner!.names.add(name)
    }
  }
  return faults
}

function parse<Schema extends BodySchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ in: 'body', name: 'body', message: 'must be a JSON object' })
  }
  const names = Object.keys(schema.entries)
  const faults: Fault[] = Object.keys(value)
    .filter((name) => !names.includes(name))
    .slice(0, maxFaults)
    .map((name) => ({ in: 'body', ...describeUnknownName(name, names) }))
  const parsed = v.safeParse(schema, value)
  for (const issue of parsed.issues ?? []) {
    faults.push({ in: 'body', name: v.getDotPath(issue) ?? 'body', message: issue.message })
  }
  if (!parsed.success || faults.length > 0) throw invalid(...faults)
  return parsed.output
}
