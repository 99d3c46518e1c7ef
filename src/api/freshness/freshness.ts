// What the database confirms before each answer: the version of what the answer rests on. Requests that come while the
// database is asked go with the next batch, so that many cost little more than one.

import { quickConnections } from '../../db/database.ts'
import { waitForConnectionMs, type Runner } from '../../db/pool.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { query } from '../../db/query.ts'
import { ClientDisconnected } from '../problems/client-disconnected.ts'
import versionsSql from '../../../sql/freshness/versions.sql'

interface Row {
  at: string
  since: string
  directory: string
  versions: string
}

const findVersions = query<Row>(versionsSql)

/** Scopes that are not projects, see sql/migrations/0009-freshness.sql. */
export const everyProject = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const directory = '00000000-0000-0000-0000-000000000000'

export interface Confirmed {
  /** Of all that an answer about the scope can show, the current date included. The same text: nothing of it has changed. */
  version: string
  /** Of keys, users and teams alone. */
  directory: string
  /** When, by the clock of the database. */
  at: string
}

export interface Freshness {
  /** What holds at a moment after the call. Whose client is gone before its batch leaves is left out. */
  check(scope: string, isDisconnected?: () => boolean): Promise<Confirmed>
  /** Since the start: how many checks were asked for, and in how many statements. */
  readonly counts: { checks: number; statements: number }
}

interface Member {
  scope: string
  until: number
  isDisconnected: () => boolean
  resolve(confirmed: Confirmed): void
  reject(error: unknown): void
}

/** While one batch is under way the next one gathers: larger ones cost less. A slow one is not waited for any longer. */
const patienceMs = 5
// Where no batch can leave, as the database does not answer, nobody waits for as long as a statement may take.
const maxPending = 10_000
const lookForLateMs = 250

export function createFreshness(db: Runner): Freshness {
  const counts = { checks: 0, statements: 0 }
  let gathered: Member[] = []
  let running = 0
  let leaving: NodeJS.Immediate | undefined
  let late: NodeJS.Timeout | undefined
  let refusing: NodeJS.Timeout | undefined

  function leaveSoon() {
    if (gathered.length === 0) return
    if (running === quickConnections) return void (refusing ??= setTimeout(refuseLate, lookForLateMs))
    if (running === 0) {
      // What came in with the same turn of the event loop goes along.
      leaving ??= setImmediate(leave)
    } else {
      late ??= setTimeout(leave, patienceMs)
    }
  }

  async function leave() {
    clearImmediate(leaving)
    clearTimeout(late)
    leaving = late = undefined
    const members = gathered.filter((member) => !leftOut(member))
    gathered = []
    if (members.length === 0) return
    running++
    counts.statements++
    try {
      const scopes = [...new Set(members.map(({ scope }) => scope))]
      const [row] = await findVersions(db, { scopes })
      const confirmed = confirm(scopes, row!)
      for (const { scope, resolve } of members) resolve(confirmed.get(scope)!)
    } catch (error) {
      for (const { reject } of members) reject(error)
    } finally {
      running--
      leaveSoon()
    }
  }

  function refuseLate() {
    refusing = undefined
    const now = performance.now()
    const inTime = gathered.findIndex(({ until }) => until > now)
    const tooLate = gathered.splice(0, inTime < 0 ? gathered.length : inTime)
    for (const { reject } of tooLate) reject(new DatabaseUnavailable('no batch could leave in time'))
    leaveSoon()
  }

  return {
    counts,
    check: (scope, isDisconnected = () => false) =>
      new Promise((resolve, reject) => {
        if (gathered.length === maxPending) throw new DatabaseUnavailable('too many requests wait')
        counts.checks++
        gathered.push({ scope, until: performance.now() + waitForConnectionMs, isDisconnected, resolve, reject })
        leaveSoon()
      }),
  }
}

function leftOut({ isDisconnected, reject }: Member): boolean {
  if (!isDisconnected()) return false
  reject(new ClientDisconnected())
  return true
}

function confirm(scopes: readonly string[], { at, since, directory, versions }: Row): Map<string, Confirmed> {
  const found = JSON.parse(versions) as string[]
  const today = at.slice(0, 10)
  return new Map(
    scopes.map((scope, place) => [
      scope,
      { version: `${found[place]} ${directory} ${since} ${today}`, directory: `${directory} ${since}`, at },
    ]),
  )
}
