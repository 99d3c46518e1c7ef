// Runs writers and followers until enough has changed. Whenever the writers pause, some of them with open transactions, each
// copy must equal what the lists return, byte for byte.

import { setTimeout as sleep } from 'node:timers/promises'
import { openInstance, patient } from '../freshness/instances.ts'
import { readLists, type Copy } from '../support/lists-copy.ts'
import { chooser } from '../support/random.ts'
import { onServers } from '../support/places.ts'
import { valuesOf } from '../support/values.ts'
import { connect, issueKey, type Sql } from '../support/workgate.ts'
import { createFollower, type FollowerCounts } from './follower.ts'
import { createWriter } from './writer.ts'
import { calmProject, projects, teams, users } from './random-writes.ts'

export interface Report extends FollowerCounts {
  violations: string[]
  /** Entries of the journal. */
  changes: number
  /** Tasks that the API has created. */
  created: number
  /** Objects that were compared, and their kinds. */
  compared: number
  kinds: string[]
  /** The log lines of requests that were answered with 503, and repeated. */
  unavailable: string[]
  seconds: number
}

/** wanted: the number of changes. most: the most rows that one statement inserts. */
export const loads = {
  short: { wanted: 3_000, most: 200 },
  some: { wanted: 100_000, most: 2_500 },
  long: { wanted: 1_000_000, most: 2_500 },
  // For variants: a check stops at the first violation, so the high number only costs time if none is found.
  broken: { wanted: 100_000, most: 100 },
}
export type LoadName = keyof typeof loads

const all = [...projects, calmProject]
const writerCount = 6
const transactionsPerTurn = 16
const someKinds = ['task', 'comment', 'user']
const maxViolations = 3

export async function check(url: string, { wanted, most }: (typeof loads)[LoadName]): Promise<Report> {
  const started = performance.now()
  const choice = chooser(5)
  const sql = connect(url, { max: 1 })
  await insertDirectory(sql)
  const key = await issueKey(sql, 'changes')
  let selectedKey = await issueKey(sql, 'selected', { projects: [calmProject] })
  const instances = choice.times(2, () => patient(openInstance(url)))
  const read = async (path: string) => {
    const { status, body } = await instances[0]!.ask('GET', path, { authorization: `Bearer ${key}` })
    return status === 404 ? undefined : JSON.parse(String(body))
  }
  const counts = { pages: 0, items: 0, deletions: 0, departures: 0, starts: 0, expired: 0, rewinds: 0 }
  const follow = (path: string, projects: () => readonly string[], as = () => key, kinds?: string[]) => ({
    projects,
    kinds,
    ...createFollower(instances, as, path, kinds, counts, choice),
  })
  const ofProject = (project: string, kinds?: string[]) =>
    follow(`/projects/${project}/changes`, () => [project], undefined, kinds)
  let selected: string[] = []
  const waiter = follow('/changes', () => all)
  const followers = [
    ...projects.map((project) => ofProject(project)),
    ofProject(projects[0]!, someKinds),
    follow('/changes', () => all),
    follow('/changes', () => selected, () => selectedKey), // prettier-ignore
    follow('/changes', () => selected, () => selectedKey, someKinds), // prettier-ignore
  ]
  const writers = choice.times(writerCount, () => createWriter(url, instances, key, most, choice))
  const report: Report = {
    ...counts,
    violations: [],
    changes: 0,
    created: 0,
    compared: 0,
    kinds: [],
    unavailable: [],
    seconds: 0,
  }
  const isOver = () => report.changes >= wanted || report.violations.length > 0

  for (let round = 1; !isOver(); round++) {
    let isWriting = true
    const writing = Promise.all(writers.map((writer) => writer.write(transactionsPerTurn)))
    const waiting = waiter.waitWhile(() => isWriting)
    await Promise.all([
      writing.finally(() => (isWriting = false)),
      ...followers.map((follower) => follower.readWhile(() => isWriting)),
    ])
    await renameBoard(sql, `Calm ${round}`)
    if (!(await waiting)) report.violations.push('a change does not wake the reader that waits for it')
    // Cursors from before this round expire.
    if (round % 3 === 0) {
      await onServers(sql, `update workgate.journal set at = at - interval '2 days'`)
      await onServers(sql, `select workgate.drop_old_entries('1 day', ${round % 2 === 0 ? 500 : 1_000_000})`)
    }
    selectedKey = await rotated(sql, selectedKey)
    const [row] = await sql`select project_ids from workgate.api_keys where id = ${selectedKey.split('_')[1]!}`
    selected = row!['project_ids']
    const expected = new Map<string, Copy>()
    for (const project of all) expected.set(project, await readLists(read, project))
    const names = [...expected.values()].flatMap((copy) => [...copy.keys()])
    report.kinds = [...new Set([...report.kinds, ...names.map(kindOf)])]
    for (const { catchUp, projects, kinds } of [...followers, waiter]) {
      const copies = await catchUp()
      if (!copies) report.violations.push('reading does not end')
      for (const project of copies ? all : []) {
        const copy = copies!.get(project) ?? new Map()
        report.compared += copy.size
        const there = projects().includes(project) ? expected.get(project)! : new Map()
        report.violations.push(...differences(copy, there, kinds).slice(0, maxViolations))
      }
    }
    const last = await onServers(sql, 'select coalesce(max(seq), 0)::int as seq from workgate.journal')
    report.changes = Math.max(
      report.changes,
      valuesOf(last, 'seq').reduce((sum, seq) => sum + seq),
    )
  }
  for (const writer of writers) {
    report.created += writer.created
    await writer.close()
  }
  await Promise.all(instances.map((instance) => instance.close()))
  await sql.end()
  const unavailable = instances.flatMap((instance) => instance.unavailable)
  return { ...report, ...counts, unavailable, seconds: (performance.now() - started) / 1_000 }
}

async function insertDirectory(sql: Sql): Promise<void> {
  await sql`insert into workgate.users (id, name) select id, 'User' from unnest(${users}::uuid[]) id`
  await sql`insert into workgate.teams (id, name) select id, 'Team' from unnest(${teams}::uuid[]) id`
  await sql`insert into workgate.projects (id, key, name) values (${calmProject}, 'CALM', 'Calm')`
  await sql`insert into workgate.boards (project_id, name) values (${calmProject}, 'Calm')`
}

async function renameBoard(sql: Sql, name: string): Promise<void> {
  try {
    await sql`update workgate.boards set name = ${name} where project_id = ${calmProject}`
  } catch (error) {
    // The place of the project has just moved. A service is about to settle it.
    if ((error as { code?: string }).code !== 'WG012') throw error
    await sleep(20)
    return renameBoard(sql, name)
  }
}

/** Returns the next key, or the same one if a transaction that is open locks it. */
async function rotated(sql: Sql, key: string): Promise<string> {
  try {
    return await sql.begin(async (transaction) => {
      await transaction`set local lock_timeout = 10`
      const [row] = await transaction`select workgate.rotate_key('selected', '0') as key`
      return row!['key']
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    return key
  }
}

/** Of the name of an object in a copy. */
const kindOf = (name: string) => name.split(' ')[0]!

function differences(copy: Copy, expected: Copy, kinds?: readonly string[]): string[] {
  const isRead = (name: string) => !kinds || kinds.includes(kindOf(name))
  const names = new Set([...copy.keys(), ...expected.keys()])
  return [...names]
    .filter((name) => isRead(name) && copy.get(name) !== expected.get(name))
    .map((name) => `${name} is ${copy.get(name)} instead of ${expected.get(name)}`)
}
