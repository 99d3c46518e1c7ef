// The views of the explorer in a browser: accessibility, width and size. npm test -- --alone test/ci/explorer-appearance.test.ts

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { command } from '../support/workgate.ts'
import { transferredBytes } from './browser.ts'
import { goTo, loaded, openExplorer, settles, uuid, violationsOf, widthOf } from './exploring.ts'

const { site, claimsAboutAll } = openExplorer(
  ({ settings }) => command(['demo', '--projects', '3', '--tasks', '150'], settings),
  // The browser itself logs the response about a project that does not exist.
  /^error: Failed to load resource: the server responded with a status of 404 /,
)

/** Opens one view after the other, in the same page. */
async function eachView(page: Page, check: (view: string) => Promise<void>) {
  const [{ project, task }] = await site.sql<[{ project: string; task: string }]>`
    select p.key as project, t.number as task
    from workgate.tasks t
    join workgate.projects p on p.id = t.project_id
    order by (select count(*) from workgate.comments c where c.task_id = t.id) desc, t.id
    limit 1`
  for (const view of [
    '',
    `/projects/${project}`,
    '/tasks',
    `/projects/${project}/tasks?state=open`,
    `/projects/${project}/tasks/${task}`,
  ]) {
    await goTo(page, `#${view}`)
    await loaded(page)
    await check(view)
  }
}

// The smallest and the largest screen, each in one of the color schemes.
for (const [colorScheme, width] of [
  ['light', 360],
  ['dark', 1600],
] as const) {
  test(`at ${width} pixels in ${colorScheme} colors, no view is too wide, breaks an accessibility rule or shows an id`, async () => {
    const options = { colorScheme, reducedMotion: 'reduce', viewport: { width, height: 800 } } as const
    const form = await site.visit('', options)
    await loaded(form)
    assert.equal(await widthOf(form), width)
    const violations = await violationsOf(form)
    const page = await site.open('', options)
    await eachView(page, async (view) => {
      assert.equal(await widthOf(page), width, view)
      assert.doesNotMatch(await page.locator('main').innerText(), uuid, view)
      const complain = async () =>
        violations.push(...(await violationsOf(page)).map((violation) => `${view} ${violation}`))
      await complain()
      for (const name of ['Table', 'Request'])
        for (const button of await page.getByRole('button', { name, exact: true }).all()) await button.click()
      assert.equal(await widthOf(page), width, `${view} with tables and requests`)
      await complain()
    })
    for (const nothing of ['/projects/NONE', '/projects/NONE/tasks/1', '/nowhere']) {
      await goTo(page, `#${nothing}`)
      await page.locator('.notice').waitFor()
      violations.push(...(await violationsOf(page)).map((violation) => `${nothing} ${violation}`))
    }
    assert.deepEqual(violations, [])
  })
}

test('the page needs at most 64 KB', async () => {
  const bytes = await transferredBytes(site.browser, `${site.origin}/explorer`, 'br')
  assert.ok(bytes > 20_000 && bytes <= 64_000, `${bytes} bytes`)
})

test('the link at the start of the page skips to the view', async () => {
  const page = await site.open('#/tasks')
  await loaded(page)
  await page.locator('a.skip').focus()
  await page.keyboard.press('Enter')
  await settles(() => page.evaluate('document.activeElement.id'), 'explorer')
  await page.locator('.task-line').first().waitFor()
  assert.equal(await page.getByText('There is no page at this address.').count(), 0)
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
