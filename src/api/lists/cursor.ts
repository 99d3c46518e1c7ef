// Where the next page begins: the last row's value in the sort, and its id. Bound to the list, its filters and its
// sort by a digest over all of it. Nothing in it gives access: scope is applied again to every page.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Problem } from '../problems/problem.ts'
import { isDay, isMoment, isUuid, priorities } from '../schema/values.ts'

export type SortType = 'moment' | 'day' | 'text' | 'integer' | 'bigint' | 'priority'

export interface Position {
  /** The row's value in the sort, as the database wrote it; null sorts last. */
  after: string | null
  afterId: string
}

const version = 1
const formOf: Record<SortType, (value: string) => boolean> = {
  moment: isMoment,
  text: (value) => value.length <= 2_000 && !value.includes('\0') && value.isWellFormed(),
  day: isDay,
  bigint: (value) => isWhole(value, 64),
  priority: (value) => priorities.some((priority) => priority === value),
  integer: (value) => isWhole(value, 32),
}

function isWhole(value: string, bits: number): boolean {
  return /^-?\d{1,19}$/.test(value) && BigInt.asIntN(bits, BigInt(value)) === BigInt(value)
}

const schema = v.strictTuple([
  v.literal(version),
  v.nullable(v.string()),
  v.pipe(v.string(), v.check(isUuid)),
  v.string(),
])

/** What a cursor belongs to: the path, the sort and every filter. */
export type List = readonly unknown[]

export function encodeCursor(list: List, { after, afterId }: Position): string {
  const cursor = [version, after, afterId, digest(list, after, afterId)]
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

export function decodeCursor(list: List, type: SortType, text: string): Position {
  const parsed = v.safeParse(schema, readJson(text))
  if (!parsed.success) throw notOurs()
  const [, after, afterId, sealed] = parsed.output
  if (sealed !== digest(list, after, afterId)) throw notOurs()
  if (after !== null && !formOf[type](after)) throw notOurs()
  return { after, afterId }
}

function digest(list: List, after: string | null, afterId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([version, list, after, afterId]))
    .digest('base64url')
    .slice(0, 16)
}

function readJson(text: string): unknown {
  // What does not come back the same was altered, even where the decoder would look past it.
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

function notOurs(): Problem {
  return new Problem(
    'INVALID_CURSOR',
    'The cursor is not one that this list gave with these filters and this sort. Start again without a cursor.',
    {
      faults: [
        {
          in: 'query',
          name: 'cursor',
          message: 'take it from meta.nextCursor and leave filters and sort as they were',
        },
      ],
    },
  )
}
