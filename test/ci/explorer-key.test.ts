// What the explorer does with its key, and how it explains failures, in a browser:
// npm test -- --alone test/ci/explorer-key.test.ts

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { run } from '../support/environment.ts'
import { command, connect, freshDatabase, issueKey, startArtifact, wellFormedKey } from '../support/workgate.ts'
import { storedData } from './browser.ts'
import { enterKey, goTo, loaded, openExplorer, settles } from './exploring.ts'

const { site, claimsAboutAll } = openExplorer(
  ({ settings }) => command(['demo', '--projects', '3', '--tasks', '60'], settings),
  // The browser itself logs every such response, and every failed connection.
  /^error: Failed to load resource: (the server responded with a status of (400|401|403|404|429|503) |net::ERR_)/,
)

const field = (page: Page) => page.getByLabel('API key')
const overview = (page: Page) => page.locator('table.projects')
const secret = () => site.key.slice(16, -6)

describe('the key', () => {
  test('opens the page, which is empty without it, and is forgotten when the page is reloaded', async () => {
    const page = await site.visit()
    await field(page).waitFor()
    const names = await site.sql<{ name: string }[]>`select name from workgate.projects`
    const requestsBefore = site.requested().filter((url) => url.includes('/api/'))
    assert.deepEqual(requestsBefore, [])
    await enterKey(page, site.key)
    for (const { name } of names) await overview(page).getByText(name).waitFor()
    assert.ok(!(await storedData(page)).includes(secret()))
    for (const name of ['Explorer', 'Workgate']) {
      await goTo(page, '#/?q=xyzzy')
      await page.getByText('No project matches “xyzzy”.').waitFor()
      await page.locator('header').getByRole('link', { name, exact: true }).click()
      for (const { name } of names) await overview(page).getByText(name).waitFor()
      assert.equal(await page.getByLabel('Search projects').inputValue(), '')
    }
    await page.reload()
    await field(page).waitFor()
    const text = await page.content()
    assert.ok(!names.some(({ name }) => text.includes(name)))
  })

  test('survives a reload in the tab if the box is checked, until it is closed', async () => {
    const page = await site.visit()
    await page.getByLabel('Keep the key').check()
    await enterKey(page, site.key)
    await overview(page).waitFor()
    await page.reload()
    await overview(page).waitFor()
    const [stored, kept] = await page.evaluate<[string[], object]>(
      '[Object.values(sessionStorage), { ...localStorage }]',
    )
    assert.ok(stored.length === 1 && stored[0] === site.key)
    assert.deepEqual(Object.keys(kept), [])
    assert.equal(await page.evaluate('document.cookie'), '')
    const another = await page.context().newPage()
    await another.goto(page.url())
    await field(another).waitFor()
    await page.getByRole('button', { name: 'Forget key' }).click()
    await field(page).waitFor()
    assert.ok(!(await storedData(page)).includes(secret()))
    await page.reload()
    await field(page).waitFor()
  })
})

/** The page explains a failure in the words of the API, with the id of the request that failed. */
async function explains(page: Page, line: string, key: string, origin = site.origin): Promise<void> {
  const response = await fetch(`${origin}/api/external/v1${line}`, { headers: { authorization: `Bearer ${key}` } })
  const { title, detail, code } = (await response.json()) as Record<string, string>
  const notice = page.getByRole('alert').filter({ hasText: code! }).first()
  await notice.getByText(title!).waitFor()
  // The number of seconds differs.
  const [words] = detail!.split(/\d/)
  await settles(async () => (await notice.innerText()).includes(words!), true)
  const [, requestId] = /Request (\S+)/.exec(await notice.innerText()) ?? []
  await settles(async () => site.log.some((logged) => logged.includes(`"requestId":"${requestId}"`)), true)
}

const first = () => site.sql<[{ id: string; key: string }, { id: string; key: string }]>`
  select id, key from workgate.projects order by key`

describe('a failure', () => {
  test('of a key that is unknown, has expired or was revoked asks for another key', async () => {
    const unknown = wellFormedKey('0'.repeat(12), 'a'.repeat(48))
    const expired = await issueKey(site.sql, 'expired')
    await site.sql`update workgate.api_keys set expires_at = now() - interval '1 day' where name = 'expired'`
    const page = await site.visit()
    for (const key of [unknown, expired]) {
      await enterKey(page, key)
      await explains(page, '/key', key)
    }
    await enterKey(page, '“wg_…” ключ')
    await explains(page, '/key', '?')
    const revoked = await issueKey(site.sql, 'revoked')
    await page.getByLabel('Keep the key').check()
    await enterKey(page, revoked)
    await overview(page).waitFor()
    await site.sql`select workgate.revoke_key('revoked')`
    await goTo(page, '#/tasks')
    await explains(page, '/key', revoked)
    await field(page).waitFor()
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  })

  test('of an address out of scope, without a project or task, or with an unknown filter is explained', async () => {
    const [{ id, key }, other] = await first()
    const limited = await issueKey(site.sql, 'limited', { projects: [id] })
    const page = await site.open(`#/projects/${other.key}`, { key: limited })
    await explains(page, `/projects/${other.key}`, limited)
    for (const path of ['/projects/NONE', `/projects/${key}/tasks/999999`, `/projects/${key}/tasks?colour=red`]) {
      await goTo(page, `#${path}`)
      await explains(page, path, limited)
    }
    await goTo(page, '#/nowhere')
    await page.getByText('There is no page at this address.').waitFor()
  })

  test('of a measure that is no number of the project is explained, and the page can measure tasks again', async () => {
    const { key } = (await first())[0]
    const page = await site.open(`#/projects/${key}?measure=constructor`)
    await explains(page, `/projects/${key}/analytics/progress?measure=constructor`, site.key)
    await page.getByLabel('Measure').selectOption('Tasks')
    await page.locator('.burn-up .readout').waitFor()
    await settles(() => page.getByRole('alert').count(), 0)
  })

  test('of the rate limit says when the page tries again', async () => {
    const key = await issueKey(site.sql, 'slow', { rateLimit: 1 })
    const page = await site.open('', { key })
    // The page, not the test, must have sent the only request that is allowed.
    await page.getByText('This page tries again by itself.').waitFor()
    await explains(page, '/projects/summary', key)
  })

  test('of the database is shown until the database is back', async () => {
    const page = await site.open()
    await overview(page).waitFor()
    const { key } = (await first())[0]
    const admin = connect(run().server)
    const name = new URL(site.settings.DATABASE_URL).pathname.slice(1)
    await admin.unsafe(`alter database ${name} allow_connections false`)
    try {
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
      await goTo(page, `#/projects/${key}`)
      await explains(page, '/projects', site.key)
    } finally {
      await admin.unsafe(`alter database ${name} allow_connections true`)
      await admin.end()
    }
    await page.locator('.outlook').waitFor()
    await loaded(page)
    await settles(() => page.getByRole('alert').count(), 0)
  })

  test('of the service is shown until another one listens at the address', async (t) => {
    const service = await startArtifact(site.settings, site.log)
    t.after(() => service.close())
    const page = await site.open('', { origin: service.url })
    await overview(page).waitFor()
    await service.close()
    await goTo(page, '#/tasks')
    await page.getByRole('alert').getByText('The service does not answer').first().waitFor()
    const unanswered = await site.visit()
    await unanswered.route('**/api/**', (route) => route.abort())
    await enterKey(unanswered, site.key)
    await unanswered.getByText('The service does not answer').waitFor()
    await unanswered.getByRole('button', { name: 'Forget key' }).click()
    await field(unanswered).waitFor()
    const next = await startArtifact({ ...site.settings, PORT: new URL(service.url).port }, site.log)
    t.after(() => next.close())
    await page.locator('.task-line').first().waitFor()
    await settles(() => page.getByRole('alert').count(), 0)
  })
})

test('a database without projects says how to get some', async (t) => {
  const { url, sql, drop } = await freshDatabase()
  const service = await startArtifact({ DATABASE_URL: url }, site.log)
  t.after(async () => {
    await service.close()
    await drop()
  })
  const page = await site.open('', { origin: service.url, key: await issueKey(sql, 'reader') })
  await page.getByText('There are no projects yet.').waitFor()
  const text = await page.locator('main').innerText()
  assert.match(text, /workgate import .*--project/)
  assert.match(text, /workgate demo/)
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
