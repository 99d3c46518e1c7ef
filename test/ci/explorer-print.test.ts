// The views of the explorer on paper: npm test -- --alone test/ci/explorer-print.test.ts

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { command } from '../support/workgate.ts'
import { goTo, loaded, openExplorer, settles } from './exploring.ts'

const { site, claimsAboutAll } = openExplorer(
  async ({ settings, sql }) => {
    await command(['demo', '--projects', '3', '--tasks', '400'], settings)
    await sql`insert into workgate.projects (key, name) values ('LONG', 'Long')`
    await sql`
      insert into workgate.tasks (project_id, title)
      select p.id, 'Task ' || n from workgate.projects p, generate_series(1, 2060) n where p.key = 'LONG'`
  },
  // The browser itself logs the requests that a test interrupts.
  /^error: Failed to load resource: net::ERR_FAILED$/,
)

/** A4 in portrait, without the margins, in CSS pixels. */
const paperWidth = 680

/** Prints the page as the browser's own command does, and returns the text on paper. */
async function printed(page: Page): Promise<string> {
  await page.pdf({ format: 'A4' })
  await page.emulateMedia({ media: 'print' })
  const text = await page.locator('main').innerText()
  await page.emulateMedia({ media: null })
  return text
}

/** Clicks Print, and returns the number of rows at the time when the browser prints. */
async function rowsWhenPrinted(page: Page): Promise<number> {
  await page.evaluate(`window.print = () => { window.rows = document.querySelectorAll('.task-line').length }`)
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await settles(() => page.evaluate('window.rows !== undefined'), true)
  return page.evaluate<number>('window.rows')
}

const busiest = async () =>
  (
    await site.sql`
      select p.key, t.number
      from workgate.tasks t
      join workgate.projects p on p.id = t.project_id
      order by (select count(*) from workgate.comments c where c.task_id = t.id) desc, t.id
      limit 1`
  )[0] as { key: string; number: number }

describe('paper says', () => {
  test('when the data was last confirmed, in which time zone, and at which address it is', async () => {
    const page = await site.open('', { timezoneId: 'Asia/Tokyo' })
    await page.clock.install()
    for (const view of ['#/tasks?state=open', `#/projects/${(await busiest()).key}`]) {
      await goTo(page, view)
      await loaded(page)
      const text = await printed(page)
      const [, at, address] = /As of (\d+ \w+ \d{4} at \d\d:\d\d) GMT\+9 · (\S+)/.exec(text) ?? []
      assert.equal(address, `${site.origin}/explorer${view}`)
      const ageMs = Date.now() - Date.parse(`${at!.replace(' at', '')} GMT+9`)
      assert.ok(ageMs > -1_000 && ageMs < 180_000, `${at} is ${ageMs} ms ago`)
    }
  })

  test('the time of the last response, if the service no longer answers', async () => {
    const page = await site.visit()
    await page.clock.install({ time: '2031-02-03T04:05:00Z' })
    await page.goto(`${site.origin}/explorer?again#/projects/LONG`)
    await page.getByLabel('API key').fill(site.key)
    await page.getByRole('button', { name: 'Open' }).click()
    await loaded(page)
    await page.route('**/api/**', (route) => route.abort())
    await page.clock.runFor(120_000)
    await page.getByText('The service does not answer').first().waitFor()
    assert.match(await printed(page), /As of 3 February 2031 at 04:05/)
  })

  test('the period and the time zone of the charts, whose controls are hidden', async () => {
    const { key } = await busiest()
    const page = await site.open(`#/projects/${key}?weeks=4&timezone=Asia/Tokyo`)
    await loaded(page)
    assert.doesNotMatch(await page.locator('main').innerText(), /As of|Charts/)
    const text = await printed(page)
    assert.match(text, /Charts: \d+( \w+)?( \d{4})? – \d+ \w+ \d{4}, days in Asia\/Tokyo/)
    assert.doesNotMatch(text, /A year|6 months|Forget key/)
  })

  test('the search and the order of a list', async () => {
    const page = await site.open('#/projects/LONG/tasks?q=2060&sort=dueDate')
    await loaded(page)
    assert.match(await printed(page), /Search: “2060”[^]*Due first/)
  })
})

describe('a list', () => {
  test('says on paper that rows are missing, until the button Print has loaded them', async () => {
    const page = await site.open('#/tasks?projectId=LONG')
    await loaded(page)
    const rows = await page.locator('.task-line').count()
    assert.ok(rows < 1_000)
    const note = /The first ([\d,]+) rows\. More rows are not loaded\./
    assert.equal(note.exec(await printed(page))?.[1], String(rows))
    assert.equal(await rowsWhenPrinted(page), 2_000)
    assert.equal(note.exec(await printed(page))?.[1], '2,000')
    await goTo(page, '#/tasks?state=completed')
    await loaded(page)
    await page.evaluate('delete window.rows')
    const [{ all }] = await site.sql<
      [{ all: number }]
    >`select count(*)::integer as all from workgate.tasks where state = 'completed'`
    assert.ok(all > 100)
    assert.equal(await rowsWhenPrinted(page), all)
    assert.doesNotMatch(await printed(page), note)
  })

  test('prints the rows that were loaded if the service stops answering', async () => {
    const page = await site.open('#/projects/LONG/tasks')
    await loaded(page)
    let left = 5
    await page.route('**/tasks?*cursor=*', (route) => (left-- > 0 ? route.continue() : route.abort()))
    const rows = await rowsWhenPrinted(page)
    assert.ok(rows >= 300 && rows < 2_000, `${rows} rows`)
    assert.match(await printed(page), new RegExp(`The service does not answer[^]*The first ${rows} rows\\.`))
  })
})

for (const theme of ['light', 'dark'] as const)
  test(`with ${theme} colors on the screen, paper is white, as wide as A4 and cuts nothing off`, async () => {
    const { key, number } = await busiest()
    const page = await site.open('', { colorScheme: theme, viewport: { width: 1280, height: 900 } })
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    for (const view of ['#/', `#/projects/${key}`, `#/projects/${key}/tasks`, `#/projects/${key}/tasks/${number}`]) {
      await goTo(page, view)
      await loaded(page)
      for (const button of await page.getByRole('button', { name: 'Table', exact: true }).all()) await button.click()
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('main button:visible').count(), 0)
      await page.setViewportSize({ width: paperWidth, height: 900 })
      assert.deepEqual(
        await page.evaluate(`(() => {
          const { backgroundColor, color, printColorAdjust } = getComputedStyle(document.body)
          const cut = [...document.querySelectorAll('main *')].filter((element) => {
            const { overflowX, overflowY, display } = getComputedStyle(element)
            return display !== 'inline' && overflowX + overflowY !== 'visiblevisible' && element.clientWidth > 0 &&
              (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
          })
          return [
            backgroundColor, color, printColorAdjust,
            document.documentElement.scrollWidth, cut.map(({ tagName, className }) => tagName + ' ' + className),
          ]
        })()`),
        ['rgb(255, 255, 255)', 'rgb(28, 33, 31)', 'exact', paperWidth, []],
        view,
      )
      await page.emulateMedia({ media: null })
      await page.setViewportSize({ width: 1280, height: 900 })
    }
  })

for (const [claim, check] of claimsAboutAll) test(claim, check)
