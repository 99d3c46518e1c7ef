// Reads the keys that the operator sets in API_KEYS. They exist only in memory, never in the database.

import * as v from 'valibot'
import {
  createKey,
  defaultOperations,
  maxSelectedProjects,
  operations,
  scopeModes,
  type Key,
} from '../api/access/key.ts'
import { aControlCharacter, controlCharacter, isKeyName, nameRule, sha256 } from '../api/access/key-text.ts'

// Every check has its own message: valibot's default messages quote the input, which may be the key.
const entrySchema = v.strictObject(
  {
    name: v.pipe(
      v.string('must be a string'),
      // As in the database, because writes store the name.
      v.check(isKeyName, `must be ${nameRule}`),
    ),
    key: v.optional(
      v.pipe(
        v.string('must be a string'),
        v.regex(/^[!-+\--~]{32,}$/, ({ input }) =>
          controlCharacter.test(input)
            ? `contains ${aControlCharacter}`
            : 'must have at least 32 visible ASCII characters and no comma',
        ),
      ),
    ),
    keySha256: v.optional(
      v.pipe(v.string('must be a string'), v.regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')),
    ),
    scopeMode: v.optional(v.picklist(scopeModes, `must be one of ${scopeModes.join(', ')}`), 'selected_projects'),
    projects: v.optional(
      v.pipe(
        v.array(
          v.pipe(v.string('must be a project id'), v.uuid('must be a project id'), v.toLowerCase()),
          'must be an array of project ids',
        ),
        v.maxLength(maxSelectedProjects, `must list at most ${maxSelectedProjects} projects`),
      ),
      [],
    ),
    operations: v.optional(
      v.array(v.picklist(operations, `must be one of ${operations.join(', ')}`), 'must be an array'),
    ),
    rateLimitPerMinute: v.nullish(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be an integer'),
        v.minValue(1, 'must be at least 1'),
        v.maxValue(1_000_000, 'must be at most 1000000'),
      ),
      null,
    ),
    expiresAt: v.nullish(
      v.pipe(
        v.string('must be a string'),
        v.check(
          (value) => /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value)),
          'must be a time such as 2027-01-31T00:00:00Z',
        ),
        v.transform((value) => new Date(value).toISOString()),
        // In UTC, the year may no longer have four digits.
        v.regex(/^\d{4}-/, 'must be a time such as 2027-01-31T00:00:00Z'),
      ),
      null,
    ),
  },
  (issue) => (issue.expected === 'never' ? 'is unknown' : 'is missing'),
)

type Entry = v.InferOutput<typeof entrySchema>

/** Faults name the entry, never its key. */
export function readEnvironmentKeys(json: string) {
  const faults: string[] = []
  const keys = new Map<string, Key>()
  const weak: string[] = []
  for (const [index, value] of readEntries(json, faults).entries()) {
    const parsed = v.safeParse(entrySchema, value)
    const found = parsed.success
      ? findContradictions(parsed.output)
      : parsed.issues.map((issue) => `${fieldOf(issue)} ${issue.message}`)
    faults.push(...found.map((fault) => `${describeEntry(value, index)}: ${fault}`))
    if (!parsed.success || found.length > 0) continue
    const digest = parsed.output.keySha256 ?? sha256(parsed.output.key!)
    const key = toKey(parsed.output)
    if (keys.has(digest) || [...keys.values()].some(({ id }) => id === key.id)) {
      faults.push(`${describeEntry(value, index)}: another entry has the same name or key`)
    }
    keys.set(digest, key)
    if (parsed.output.key !== undefined && isRepetitive(parsed.output.key)) weak.push(key.name)
  }
  return {
    keys: {
      find: (digest: string) => keys.get(digest),
      size: keys.size,
      /** The names of keys that are easy to guess. If an entry has only a hash, its key cannot be checked. */
      weak: weak as readonly string[],
      /** The entries of API_KEYS, with hashes instead of keys. */
      toJSON: (): Entry[] => [...keys].map(([digest, key]) => toEntry(digest, key)),
    },
    faults,
  }
}

function readEntries(json: string, faults: string[]): unknown[] {
  if (json === '') return []
  try {
    const entries: unknown = JSON.parse(json)
    if (Array.isArray(entries)) return entries
  } catch (error) {
    // The parser's own message quotes its input.
    if (error instanceof SyntaxError && /control character/i.test(error.message)) {
      faults.push(`must be a JSON array: a string in it contains ${aControlCharacter}`)
      return []
    }
  }
  faults.push('must be a JSON array')
  return []
}

function findContradictions(entry: Entry): string[] {
  const all = entry.scopeMode === 'all_projects'
  return [
    (entry.key === undefined) === (entry.keySha256 === undefined) && 'must have either key or keySha256',
    entry.key !== undefined && entry.name.includes(entry.key) && 'name must not contain the key',
    all && entry.projects.length > 0 && 'must not list projects if scopeMode is all_projects',
    !all &&
      entry.operations?.includes('create_project') &&
      'create_project requires all_projects: new projects cannot be added to a key from the environment',
  ].filter((fault) => typeof fault === 'string')
}

function toKey(entry: Entry): Key {
  const { name, scopeMode, rateLimitPerMinute, expiresAt } = entry
  return createKey({
    id: `env:${name}`,
    firstId: `env:${name}`,
    name,
    scopeMode,
    projectIds: [...new Set(entry.projects)].sort(),
    operations: entry.operations ?? defaultOperations(scopeMode),
    rateLimitPerMinute,
    expiresAt,
    createdAt: null,
  })
}

function toEntry(keySha256: string, { name, scopeMode, projectIds, operations, rateLimitPerMinute, expiresAt }: Key) {
  const lists = { projects: [...projectIds], operations: [...operations] }
  return { name, keySha256, scopeMode, ...lists, rateLimitPerMinute, expiresAt }
}

/** Returns the field of an issue. A long path is hidden, since it may be a key. */
function fieldOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? 'it'
  return path.length < 32 ? path : 'a field'
}

/** Describes an entry by its position and its name. A long name is omitted, since it may be a key. */
function describeEntry(value: unknown, index: number): string {
  const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined
  return typeof name === 'string' && name.length < 32
    ? `entry ${index + 1} (${JSON.stringify(name)})`
    : `entry ${index + 1}`
}

const minDifferentTriples = 20

/**
 * Counts the different groups of three neighboring characters. Of 32 random characters, even hex digits, nearly all 30
 * groups differ; "aaaa…" has one, and "changeme-changeme-…" has nine. Sentences and names are not recognized.
 */
function isRepetitive(key: string): boolean {
  const triples = Array.from({ length: key.length - 2 }, (_, start) => key.slice(start, start + 3))
  return new Set(triples).size < minDifferentTriples
}
