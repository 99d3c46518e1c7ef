// A project follows a real Gitea. Needs its program, whose path is in GITEA.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { Drifted } from '../../../src/sources/adapter.ts'
import { insertData, web } from '../../support/data.ts'
import { chooser } from '../../support/random.ts'
import { suiteDatabase, suitePool } from '../../support/suite-database.ts'
import { followGitea, type CopiedProject } from '../../sources/copied-project.ts'
import { startGitea } from './gitea-server.ts'
import { createRepository, shownByGitea, writeAtRandom } from './gitea-writers.ts'

const program = process.env['GITEA']
const skip = program === undefined && 'SKIPPED: GITEA is not set'
const { sql, url } = await suiteDatabase(insertData)
const db = suitePool(url)

/** A round that the tracker does not disturb. */
async function settle(project: CopiedProject, options = { audit: false }) {
  for (;;) {
    try {
      return await project.round(options)
    } catch (error) {
      if (!(error instanceof Drifted)) throw error
    }
  }
}

test('a project follows a real Gitea', { skip }, async (t) => {
  const gitea = await startGitea(t, program!)
  const repository = await createRepository(gitea, 'web')
  const { root } = repository
  const place = { origin: gitea.origin, path: 'ann/web', token: gitea.readerToken }
  const project = await followGitea(sql, db, { projectId: web, key: 'WEB' }, place)
  const isEqual = async () => assert.deepEqual(await project.here(), await shownByGitea(gitea, repository))
  /** The round fails, and neither the project nor the marks change. */
  async function refuses(message: RegExp) {
    const [tasks, before] = [await project.here(), await project.marks()]
    await assert.rejects(project.round(), message)
    assert.deepEqual(await project.here(), tasks)
    assert.deepEqual({ ...(await project.marks()), round: before['round'] }, before)
  }

  await t.test('while four writers change it', async () => {
    let isWriting = true
    const ended = new EventEmitter()
    const nextRound = () => once(ended, 'round')
    const writers = [1, 2, 3, 4].map((seed) => writeAtRandom(gitea, repository, chooser(seed), 100, nextRound))
    const written = Promise.all(writers).finally(() => (isWriting = false))
    while (isWriting) {
      await settle(project)
      ended.emit('round')
    }
    await written
    assert.equal((await settle(project)).audited, false)
    await isEqual()
    assert.deepEqual(await settle(project, { audit: true }), { round: (await project.marks())['round'], changed: 0, deleted: 0, refused: 0, audited: true }) // prettier-ignore
    await isEqual()
  })

  await t.test('finds what was deleted', async () => {
    const { number } = (await project.here()).find(({ comments }) => comments.length > 0)!
    await gitea.ann(`DELETE ${root}/issues/${number}`)
    assert.ok((await settle(project)).deleted > 1)
    await isEqual()
  })

  await t.test('deletes nothing while the reader has no access', async () => {
    await gitea.ann(`DELETE ${root}/collaborators/reader`)
    await refuses(/answers a list with 404/)
    await gitea.ann(`PUT ${root}/collaborators/reader`, { permission: 'write' })
    await settle(project)
    await isEqual()
  })

  await t.test('deletes nothing while issues are turned off', async () => {
    await gitea.ann(`PATCH ${root}`, { has_issues: false })
    await refuses(/./)
    await gitea.ann(`PATCH ${root}`, { has_issues: true })
    await settle(project)
    await isEqual()
  })

  await t.test('notices a rename', async () => {
    await gitea.ann(`PATCH ${root}`, { name: 'renamed' })
    await refuses(/answers a list with 301|has moved the project/)
    place.path = 'ann/renamed'
    repository.root = '/repos/ann/renamed'
    // The tasks have other addresses, and are the same.
    const ids = () => sql`select id from workgate.tasks where project_id = ${web} order by id`
    const before = await ids()
    assert.equal((await settle(project)).deleted, 0)
    assert.deepEqual([...(await ids())], [...before])
    await isEqual()
  })
})
