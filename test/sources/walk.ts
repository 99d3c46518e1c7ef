// Random writes to a tracker between rounds and in the middle of them. After each round, the project may show of each issue,
// comment and time entry only what the tracker had at some time since the round began.

import type { Database } from '../../src/db/database.ts'
import { Drifted } from '../../src/sources/adapter.ts'
import { web } from '../support/data.ts'
import { chooser } from '../support/random.ts'
import type { Sql } from '../support/workgate.ts'
import { followGitea, shownBy, type CopiedIssue } from './copied-project.ts'
import { startFakeGitea } from './fake-gitea.ts'
import { randomWrites } from './tracker-writes.ts'

export interface Report {
  violations: string[]
  rounds: number
  /** Rounds that had to be repeated, because the tracker changed too much meanwhile. */
  drifted: number
  audits: number
  writes: number
}

const maxRepeats = 30
/** A round sends about so many requests. */
const requestsPerRound = 14

/** Fills a project, and then follows for `rounds` rounds. Ends at the first violation. */
export async function walk(sql: Sql, db: Database, seed: number, rounds: number): Promise<Report> {
  const choose = chooser(seed)
  const { below, chance, times } = choose
  const gitea = await startFakeGitea()
  const { fill, write, writeMany, replace, passTime, deleteWhileListed } = randomWrites(gitea, choose)
  const report: Report = { violations: [], rounds: 0, drifted: 0, audits: 0, writes: 0 }
  /** What the tracker had since the round began. */
  let had: Map<string, string>[] = []
  const remember = () => had.push(valuesOf(shownBy(gitea)))

  try {
    const project = await followGitea(sql, db, { projectId: web, key: 'WEB' }, { origin: gitea.address(), path: 'ann/web' }) // prettier-ignore
    fill()
    for (let n = 0, repeats = 0; n <= rounds && report.violations.length === 0;) {
      const [isFirst, isLast] = [n === 0, n === rounds]
      const hasPages = isFirst || (!isLast && chance(0.3))
      if (!isLast) times(below(4), write)
      if (hasPages && !isFirst) writeMany()
      // After more than the overlap, the next window no longer contains what this one has lost.
      if (hasPages) gitea.wait(35)
      else passTime()
      had = []
      remember()
      // If there are several pages, those of comments are among the first requests. None after many repetitions, so that the round ends at some time.
      const moments = new Set(
        times(isLast || repeats > 5 ? 0 : hasPages ? 3 : below(4), () => below(hasPages ? 8 : requestsPerRound)),
      )
      const torn = chance(isFirst ? 0.5 : 0.2) ? below(requestsPerRound) : undefined
      let request = 0
      gitea.before = () => {
        if (request === torn && moments.size > 0) deleteWhileListed(remember)
        if (moments.has(request++)) {
          if (chance(0.5)) passTime()
          if (hasPages && chance(0.6)) replace()
          else write()
          report.writes++
          remember()
        }
      }
      try {
        const { audited } = await project.round()
        report.rounds++
        if (audited) report.audits++
        gitea.before = () => {}
        gitea.answer = () => ({})
        report.violations = differences(valuesOf(await project.here()), had).map((text) => `seed ${seed}, round ${n}: ${text}`) // prettier-ignore
        repeats = 0
        n++
      } catch (error) {
        if (!(error instanceof Drifted)) throw error
        report.drifted++
        if (++repeats > maxRepeats) report.violations = [`seed ${seed}, round ${n}: ${error.message}, again and again`]
      }
    }
    return report
  } finally {
    await gitea.close()
  }
}

/** Each field of each issue, each comment and each time entry by name. */
function valuesOf(issues: readonly CopiedIssue[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const { number, comments, times, ...fields } of issues) {
    for (const [name, value] of Object.entries(fields)) values.set(`${name} of ${number}`, JSON.stringify(value))
    for (const body of comments) values.set(`comment ${body} of ${number}`, 'present')
    for (const seconds of times) values.set(`time ${seconds} of ${number}`, 'present')
  }
  return values
}

function differences(here: Map<string, string>, had: readonly Map<string, string>[]): string[] {
  const names = new Set([here, ...had].flatMap((values) => [...values.keys()]))
  return [...names].flatMap((name) => {
    const allowed = new Set(had.map((values) => values.get(name)))
    return allowed.has(here.get(name)) ? [] : `${name} is ${here.get(name)} instead of ${[...allowed].join(' or ')}`
  })
}
