// Rounds bring a project up to date with its tracker, and delete only what the tracker has deleted.

import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { LeaseLost } from '../../src/sources/apply-round.ts'
import { insertData, web } from '../support/data.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import { fill as fillGitea, followGitea, shownBy, type CopiedProject } from './copied-project.ts'
import { startFakeGitea, type FakeGitea } from './fake-gitea.ts'

const { sql, url } = await suiteDatabase(insertData)
const db = suitePool(url)

let gitea: FakeGitea
let project: CopiedProject

beforeEach(async () => {
  gitea = await startFakeGitea()
  project = await followGitea(sql, db, { projectId: web, key: 'WEB' }, { origin: gitea.address(), path: 'ann/web' })
})
afterEach(() => gitea.close())

const round = (options = { audit: false }) => project.round(options)
const here = () => project.here()
const there = () => shownBy(gitea)
const marks = () => project.marks()
const fill = () => fillGitea(gitea)

test('the first round fills the project, and the next one writes nothing but the marks', async () => {
  fill()
  const first = await round()
  assert.deepEqual({ ...first, changed: 0 }, { round: '1', changed: 0, deleted: 0, refused: 0, audited: true })
  assert.deepEqual(await here(), there())
  const before = await marks()
  gitea.wait(100)
  gitea.requests.length = 0
  assert.deepEqual(await round(), { round: '2', changed: 0, deleted: 0, refused: 0, audited: false })
  assert.equal(gitea.requests.length, 8)
  const after = await marks()
  assert.ok(after['synced_through'] > before['synced_through'])
  assert.deepEqual(after['audited_through'], before['audited_through'])
  assert.equal(after['applied_round'], '2')
})

type Change = [claim: string, change: () => void, deleted?: number]

const changes: Change[] = [
  ['an edited issue', () => gitea.edit(5, { title: 'Renamed', labels: new Set([1, 2]) })],
  ['a closed issue', () => gitea.edit(2, { isOpen: false })],
  ['an issue without its assignees', () => gitea.edit(3, { assignees: [] })],
  ['a new issue, with a comment and time', () => void [gitea.create(), gitea.comment(121), gitea.track(121)]],
  ['a comment that was edited', () => gitea.editComment([...gitea.comments.keys()][3]!, 'edited')],
  ['a comment that has lost its text', () => gitea.editComment([...gitea.comments.keys()][3]!, '')],
  ['a comment that was deleted', () => void gitea.comments.delete([...gitea.comments.keys()][3]!), 1],
  ['an entry that was deleted', () => void gitea.times.delete([...gitea.times.keys()][3]!), 1],
  ['an issue that was deleted, with its comment and its time', () => gitea.remove(37), 3],
  ['an issue that was deleted, and another one that was created', () => void [gitea.remove(37), gitea.create()], 3],
  [
    'a change that was stamped before the last round',
    () => void [gitea.edit(5, { title: 'Late' }), (gitea.issues.get(5)!.updated -= 110_000)],
  ],
  [
    'a change after the clock of the tracker was set back',
    () => void [gitea.wait(-5_000), gitea.edit(5, { title: 'Back' })],
  ],
  ['a label that was renamed', () => void gitea.labels.set(1, 'defect')],
  ['a milestone that was moved', () => void gitea.milestones.set(1, '2026-09-01T00:00:00Z')],
]

describe('a round after the first one finds', () => {
  for (const [claim, change, deleted = 0] of changes)
    test(claim, async () => {
      fill()
      await round()
      gitea.wait(100)
      change()
      const { deleted: found, refused } = await round()
      assert.deepEqual({ found, refused }, { found: deleted, refused: 0 })
      assert.deepEqual(await here(), there())
      assert.equal((await round()).changed, 0)
    })
})

/** The round fails, and neither the project nor the marks change. */
async function refuses(message: RegExp) {
  const [tasks, before] = [await here(), await marks()]
  await assert.rejects(round(), message)
  assert.deepEqual(await here(), tasks)
  assert.deepEqual({ ...(await marks()), round: before['round'] }, before)
}

describe('nothing is deleted if', () => {
  const removals: [claim: string, change: () => void, message: RegExp][] = [
    ['the repository cannot be read any more', () => (gitea.answer = () => ({ status: 404 })), /answers a list with 404/],
    ['only single issues cannot be read', () => (gitea.answer = (path) => (path.includes('page=') ? { records: [] } : { status: 403 })), /./],
    ['access is lost while a deletion is confirmed', () => {
      gitea.remove(5)
      gitea.answer = (path) => (path.endsWith('/web') ? { status: 404 } : {})
    }, /the tracker answers with 404/],
    ['another repository has the address', () => {
      gitea.repositoryId = 8
      gitea.edit(1, { title: 'x' })
    }, /another project at this address/],
    ['another repository with fewer issues has the address', () => {
      gitea.remove(5)
      gitea.repositoryId = 8
    }, /another project at this address/],
    ['the repository was moved', () => gitea.rename('ann/new'), /answers a list with 301/],
    ['more than a quarter of the tasks is missing', () => {
      for (let n = 1; n <= 60; n++) gitea.remove(n)
    }, /lacks 60 of 120 tasks/],
    ['the tracker fails', () => (gitea.answer = () => ({ status: 500 })), /answers with 500/],
  ] // prettier-ignore
  for (const [claim, change, message] of removals)
    test(claim, async () => {
      fill()
      await round()
      gitea.wait(100)
      change()
      await refuses(message)
      gitea.answer = () => ({})
    })
})

test('a deletion is found with few requests, wherever it is', async () => {
  for (let n = 0; n < 1_000; n++) gitea.create()
  gitea.wait(100)
  await round()
  for (const number of [1, 2, 50, 51, 500, 777, 999, 1_000]) {
    gitea.wait(100)
    gitea.remove(number)
    gitea.requests.length = 0
    assert.equal((await round()).deleted, 1)
    assert.ok(gitea.requests.length <= 16, `${number}: ${gitea.requests.length} requests\n${gitea.requests.join('\n')}`)
  }
  gitea.wait(100)
  for (const number of [3, 4, 600]) gitea.remove(number)
  assert.equal((await round()).deleted, 3)
  assert.deepEqual(await here(), there())
})

/** Does something before a request for the path, once. */
function once(path: RegExp, act: () => void) {
  gitea.before = (requested) => {
    if (!path.test(requested)) return
    gitea.before = () => {}
    act()
  }
}

describe('a tracker that changes during a round:', () => {
  test('an issue that is deleted while it is listed without its labels', async () => {
    fill()
    await round()
    gitea.wait(100)
    gitea.edit(37, { title: 'Last words' })
    gitea.answer = (path, records) => {
      if (!path.includes('issues?')) return {}
      const torn = records.map((issue) => ((issue as { number: number }).number === 37 ? { ...(issue as object), labels: [] } : issue))
      gitea.answer = () => ({})
      queueMicrotask(() => gitea.remove(37))
      return { records: torn }
    } // prettier-ignore
    const [history] =
      await sql`select max(version) as version from workgate.task_history where project_id = ${web} and task_id = (select id from workgate.tasks where project_id = ${web} and number = 37)`
    assert.equal((await round()).deleted, 3)
    assert.deepEqual(await here(), there())
    assert.ok(history)
  })

  test('an issue that is deleted while it is counted without its labels', async () => {
    fill()
    await round()
    gitea.wait(100)
    let lists = 0
    gitea.answer = (path, records) => {
      if (!path.includes('issues?') || ++lists !== 2) return {}
      queueMicrotask(() => gitea.remove(120))
      return { records: records.map((issue) => ({ ...(issue as object), labels: [] })) }
    }
    await round()
    assert.deepEqual(await here(), there())
  })

  test('a comment on an issue that was created after the issues were read waits for the next round', async () => {
    fill()
    await round()
    gitea.wait(100)
    once(/comments\?.*page=2/, () => void [gitea.create(), gitea.comment(121, 'first')])
    await round()
    await round()
    assert.deepEqual(await here(), there())
  })
})

test('a round of a holder that has lost its lease writes nothing', async () => {
  fill()
  once(/issues\?/, () => void sql`update workgate.source_progress set fence = fence + 1`.then(() => {}))
  await assert.rejects(round(), { constructor: LeaseLost })
  assert.deepEqual(await here(), [])
})

test('a record that cannot be read is counted, and does not stop the others', async () => {
  fill()
  gitea.answer = (path, records) =>
    path.includes('issues?') ? { records: records.map((issue) => ((issue as { number: number }).number === 37 ? { ...(issue as object), title: 5 } : issue)) } : {} // prettier-ignore
  assert.equal((await round()).refused, 3)
  assert.deepEqual(
    await here(),
    there().filter(({ number }) => number !== 37),
  )
  gitea.wait(100)
  assert.equal((await round()).changed, 0)
  gitea.answer = () => ({})
  gitea.wait(100)
  assert.equal((await round({ audit: true })).refused, 0)
  assert.deepEqual(await here(), there())
})
