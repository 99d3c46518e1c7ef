// Token buckets: one for each key, and one for each address that sends credentials that fail.

import { isIPv6 } from 'node:net'
import { Problem } from '../problems/problem.ts'

/** What is left to a key after a request, for the headers of its answer. */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

interface Bucket {
  tokens: number
  at: number
}

/** Takes one token, if there is one; says how many were there before, later where another process keeps the buckets. */
export type Take = (name: string, perMinute: number) => number | Promise<number>

/** Of keys by their ids, and of addresses: many of these must not displace those. */
export type Buckets = Record<'keys' | 'addresses', Take>

const maxBuckets = 20_000
const failuresPerMinute = 60

export const createBuckets = () => ({ keys: keepBuckets(), addresses: keepBuckets() })

function keepBuckets() {
  const buckets = new Map<string, Bucket>()

  return (name: string, perMinute: number): number => {
    const at = performance.now()
    const last = buckets.get(name)
    const before = last ? Math.min(perMinute, last.tokens + ((at - last.at) / 60_000) * perMinute) : perMinute
    // Deleted and set again, the map stays ordered by last use; what is forgotten first has had most time to refill.
    buckets.delete(name)
    if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value!)
    buckets.set(name, { tokens: before >= 1 ? before - 1 : before, at })
    return before
  }
}

export interface KeyLimit {
  /** Undefined where there is no limit; throws the 429. */
  take(key: { id: string; rateLimitPerMinute: number | null }): Promise<Allowance | undefined>
}

export function createKeyLimit(defaultPerMinute: number, take: Take): KeyLimit {
  return {
    async take({ id, rateLimitPerMinute }) {
      const limit = rateLimitPerMinute ?? defaultPerMinute
      if (limit === 0) return undefined
      const before = await take(id, limit)
      const left = Math.max(0, before - 1)
      const allowance = { limit, remaining: Math.floor(left), resetSeconds: Math.ceil(((limit - left) / limit) * 60) }
      if (before < 1) throw rateLimited(`The API key may send ${limit} requests a minute.`, before, limit, allowance)
      return allowance
    },
  }
}

export interface AddressLimit {
  /** Counts a failed attempt; throws the 429 from the one on that is too many. */
  count(address: string): Promise<void>
}

export function createAddressLimit(take: Take): AddressLimit {
  return {
    async count(address) {
      const before = await take(network(address), failuresPerMinute)
      if (before < 1) {
        throw rateLimited('Too many requests with bad credentials came from this address.', before, failuresPerMinute)
      }
    },
  }
}

function rateLimited(detail: string, tokens: number, perMinute: number, allowance?: Allowance): Problem {
  const seconds = Math.max(1, Math.ceil(((1 - tokens) / perMinute) * 60))
  return new Problem('RATE_LIMITED', `${detail} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds), ...(allowance && allowanceHeaders(allowance)) },
  })
}

/** One person has a whole /64 of IPv6. */
function network(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const zeros = tail === undefined ? [] : Array<string>(8).fill('0')
  return [...groups, ...zeros].slice(0, 4).join(':')
}

export function allowanceHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'ratelimit-policy': `"key";q=${limit};w=60`,
    ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + resetSeconds),
  }
}
