// Limits attempts with keys that have not been verified before, by the address of the client. An attempt takes tokens
// before its key is looked up, so that parallel guesses count, and returns them unless the key is invalid.

import { isIPv6 } from 'node:net'
import { networkOf } from '../../runtime/network-address.ts'
import { rateLimited, type Buckets, type TakeToken } from './rate-limit.ts'

const failuresPerMinute = 60
/** For an IPv6 /48: its owner has 65,536 networks of /64. */
const failuresPerMinuteOfSite = 600
/** For one invalid key: a client that keeps sending it does not use up the tokens of its whole address. */
const failuresPerMinuteOfKey = 20

export interface AttemptLimit {
  /**
   * Throws a 429 if too many attempts have failed. Returns undefined if a concurrent attempt with the same key has
   * already taken the tokens.
   */
  begin(address: string, digest: string): Promise<Attempt | undefined>
  /** Counts a failure without an attempt. Throws a 429 if too many have failed. */
  countFailure(address: string, digest: string): Promise<unknown>
}

export interface Attempt {
  end(hasFailed: boolean): void
}

interface Bucket {
  takeToken: TakeToken
  name: string
  perMinute: number
}

export function createAttemptLimit({
  addresses,
  credentials,
}: Pick<Buckets, 'addresses' | 'credentials'>): AttemptLimit {
  const running = new Map<string, Promise<() => void>>()

  /** The widest network comes first: while it is over its limit, no buckets are created for the networks inside it. */
  function bucketsOf(address: string, digest: string): Bucket[] {
    const site = { takeToken: addresses, name: networkOf(address, 48), perMinute: failuresPerMinuteOfSite }
    return [
      ...(isIPv6(address) ? [site] : []),
      { takeToken: addresses, name: networkOf(address), perMinute: failuresPerMinute },
      { takeToken: credentials, name: nameOf(address, digest), perMinute: failuresPerMinuteOfKey },
    ]
  }

  /** Takes a token from every bucket or from none. Returns a function that returns them. */
  async function takeTokens(address: string, digest: string): Promise<() => void> {
    const taken: Bucket[] = []
    const giveBack = () => {
      for (const { takeToken, name, perMinute } of taken) void takeToken(name, perMinute, -1)
    }
    for (const bucket of bucketsOf(address, digest)) {
      const { takeToken, name, perMinute } = bucket
      const tokensBefore = await takeToken(name, perMinute)
      if (tokensBefore < 1) {
        giveBack()
        throw rateLimited(tooManyFailures, tokensBefore, perMinute)
      }
      taken.push(bucket)
    }
    return giveBack
  }

  return {
    async begin(address, digest) {
      const name = nameOf(address, digest)
      const other = running.get(name)
      if (other) return void (await other)
      const taking = takeTokens(address, digest)
      running.set(name, taking)
      const giveBack = await taking.catch((error: unknown) => {
        running.delete(name)
        throw error
      })
      return {
        end(hasFailed) {
          running.delete(name)
          if (!hasFailed) giveBack()
        },
      }
    },
    countFailure: takeTokens,
  }
}

const nameOf = (address: string, digest: string) => `${networkOf(address)} ${digest}`

const tooManyFailures =
  'Too many requests with invalid credentials from this address. Until there are fewer, API keys that have not been used before are refused, too.'
