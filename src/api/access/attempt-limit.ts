// Limits guesses: the different credentials that a network sends and that were not verified before. Each takes a token
// before its key is looked up, so that parallel guesses count, and returns it unless the key is invalid. A client that
// keeps sending one invalid key takes only one token, so it does not block the others of its network.

import { networkOf } from '../../runtime/network-address.ts'
import { setNewest } from '../../runtime/newest-entries.ts'
import { rateLimited, type TakeToken } from './rate-limit.ts'

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
