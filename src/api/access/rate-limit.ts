// Limits the requests of keys, and the guesses of networks, with token buckets.

import { setNewest } from '../../runtime/newest-entries.ts'
import { Problem } from '../problems/problem.ts'
import type { Key } from './key.ts'
import { networkOf } from '../../runtime/network-address.ts'

/** The requests that a key has left, for the response headers. */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

/**
 * Takes a token if there is one, and returns the number of tokens before. A count of -1 returns a token. Asynchronous if
 * another process holds the buckets.
 */
export type TakeToken = (name: string, perMinute: number, count?: TokenCount) => number | Promise<number>
export type TokenCount = 1 | -1

/** Keys (by id) and networks (of failed attempts) have separate buckets, so that many of one kind evict none of the other. */
export type Buckets = Record<'keys' | 'networks', TakeToken>

const maxBuckets = 20_000

export const createBuckets = () => ({ keys: createTokenBuckets(), networks: createTokenBuckets() })

function createTokenBuckets() {
  const buckets = new Map<string, { tokens: number; at: number }>()

  return (name: string, perMinute: number, count: TokenCount = 1): number => {
    const at = performance.now()
    const last = buckets.get(name)
    const tokensBefore = last ? Math.min(perMinute, last.tokens + ((at - last.at) / 60_000) * perMinute) : perMinute
    const tokens = tokensBefore >= count ? tokensBefore - count : tokensBefore
    // The oldest bucket, which makes room for a new one, has had the most time to refill.
    setNewest(buckets, name, { tokens, at }, maxBuckets)
    return tokensBefore
  }
}

/** Takes a token of a key. Returns undefined if it has no limit. Throws a 429 if the limit is exceeded. */
export type LimitKey = (key: Pick<Key, 'id' | 'rateLimitPerMinute'>) => Promise<Allowance> | Allowance | undefined

export function createKeyLimit(defaultPerMinute: number, takeToken: TakeToken): LimitKey {
  return ({ id, rateLimitPerMinute }) => {
    const limit = rateLimitPerMinute ?? defaultPerMinute
    if (limit === 0) return undefined
    const taken = takeToken(id, limit)
    return typeof taken === 'number' ? allow(limit, taken) : taken.then((tokensBefore) => allow(limit, tokensBefore))
  }
}

function allow(limit: number, tokensBefore: number): Allowance {
  const left = Math.max(0, tokensBefore - 1)
  const allowance = { limit, remaining: Math.floor(left), resetSeconds: Math.ceil(((limit - left) / limit) * 60) }
  if (tokensBefore < 1)
    throw rateLimited(`The API key is limited to ${limit} requests per minute.`, tokensBefore, limit, allowance)
  return allowance
}

export function rateLimited(detail: string, tokens: number, perMinute: number, allowance?: Allowance): Problem {
  const seconds = Math.max(1, Math.ceil(((1 - tokens) / perMinute) * 60))
  return new Problem('RATE_LIMITED', `${detail} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds), ...(allowance && allowanceHeaders(allowance)) },
  })
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

// Guesses are the different credentials that a network sends and that were not verified before. Each takes a token before
// its key is looked up, so that parallel guesses count, and returns it unless the key is invalid. A client that keeps
// sending one invalid key takes only one token, so it does not block the others of its network.

const failuresPerMinute = 60
const maxCounted = 10_000

/** Throws a 429 if too many attempts from this address have failed. Call the returned function when the attempt ends. */
export type BeginAttempt = (address: string, digest: string) => Promise<(hasFailed: boolean) => void>

export function createAttemptLimit(takeToken: TakeToken): BeginAttempt {
  /** The credentials that took a token: their attempts run or have failed. With the tokens that were left before. */
  const counted = new Map<string, Promise<number> | number>()

  function count(name: string, network: string) {
    const tokensBefore = takeToken(network, failuresPerMinute)
    setNewest(counted, name, tokensBefore, maxCounted)
    return tokensBefore
  }

  return async (address, digest) => {
    const network = networkOf(address)
    const name = `${network} ${digest}`
    const earlier = counted.get(name)
    const tokensBefore = await (earlier ?? count(name, network))
    if (tokensBefore < 1) {
      counted.delete(name)
      throw rateLimited(tooManyFailures, tokensBefore, failuresPerMinute)
    }
    return (hasFailed) => {
      if (hasFailed || earlier !== undefined) return
      counted.delete(name)
      void takeToken(network, failuresPerMinute, -1)
    }
  }
}

const tooManyFailures =
  'Too many requests with invalid credentials from this address. Until there are fewer, API keys that have not been used before are refused, too.'
