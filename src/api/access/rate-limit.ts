// Limits request rates with token buckets: one for each key, and one for each address that sends bad credentials.

import { isIPv6 } from 'node:net'
import { Problem } from '../problems/problem.ts'

/** The requests that a key has left, for the response headers. */
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

/**
 * Takes a token if there is one, and returns the number of tokens before. Asynchronous if another process holds the
 * buckets.
 */
export type TakeToken = (name: string, perMinute: number) => number | Promise<number>

/** Keys (by id) and addresses have separate buckets, so that many addresses cannot evict the buckets of keys. */
export type Buckets = Record<'keys' | 'addresses', TakeToken>

const maxBuckets = 20_000
const failuresPerMinute = 60

export const createBuckets = () => ({ keys: createTokenBuckets(), addresses: createTokenBuckets() })

function createTokenBuckets() {
  const buckets = new Map<string, Bucket>()

  return (name: string, perMinute: number): number => {
    const at = performance.now()
    const last = buckets.get(name)
    const tokensBefore = last ? Math.min(perMinute, last.tokens + ((at - last.at) / 60_000) * perMinute) : perMinute
    // Reinserting the bucket keeps the map in order of last use: the first bucket has had the most time to refill.
    buckets.delete(name)
    if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value!)
    buckets.set(name, { tokens: tokensBefore >= 1 ? tokensBefore - 1 : tokensBefore, at })
    return tokensBefore
  }
}

export interface KeyLimit {
  /** Returns undefined if there is no limit. Throws a 429 if the limit is exceeded. */
  consume(key: { id: string; rateLimitPerMinute: number | null }): Promise<Allowance | undefined>
}

export function createKeyLimit(defaultPerMinute: number, takeToken: TakeToken): KeyLimit {
  return {
    async consume({ id, rateLimitPerMinute }) {
      const limit = rateLimitPerMinute ?? defaultPerMinute
      if (limit === 0) return undefined
      const tokensBefore = await takeToken(id, limit)
      const left = Math.max(0, tokensBefore - 1)
      const allowance = { limit, remaining: Math.floor(left), resetSeconds: Math.ceil(((limit - left) / limit) * 60) }
      if (tokensBefore < 1)
        throw rateLimited(`The API key is limited to ${limit} requests per minute.`, tokensBefore, limit, allowance)
      return allowance
    },
  }
}

export interface AddressLimit {
  /** Counts a failed attempt. Throws a 429 once the limit is reached. */
  count(address: string): Promise<void>
}

export function createAddressLimit(takeToken: TakeToken): AddressLimit {
  return {
    async count(address) {
      const tokensBefore = await takeToken(networkOf(address), failuresPerMinute)
      if (tokensBefore < 1) {
        throw rateLimited(
          'Too many requests with invalid credentials from this address.',
          tokensBefore,
          failuresPerMinute,
        )
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

/** An IPv6 user usually has a whole /64, so all its addresses share a bucket. */
export function networkOf(address: string): string {
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
