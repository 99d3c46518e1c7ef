// Opens the explorer of the artifact in a browser whose requests and errors are recorded.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { freshDatabase, issueKey, startArtifact, type Sql } from '../support/workgate.ts'
import { checkPages, openBrowser, openPage, type RecordedPage } from './browser.ts'

export interface VisitOptions extends BrowserContextOptions {
  key?: string
  /** Of another service than that of the file. */
  origin?: string
}

export interface Explorer {
  browser: Browser
  /** The settings of a service on the same database. */
  settings: { DATABASE_URL: string }
  sql: Sql
  key: string
  origin: string
  /** Everything that the service and the page have written and requested. */
  log: string[]
  requested(): string[]
  /** Opens the page without a key. It is closed after the test. */
  visit(hash?: string, options?: VisitOptions): Promise<Page>
  /** Opens a view with the key of the file, or another one. */
  open(hash?: string, options?: VisitOptions): Promise<Page>
}

/**
 * Call this at the top of a test file. `fill` prepares the database. The file's last tests must be claimsAboutAll.
 * `expected` matches the lines in the console that the browser itself writes about responses that a test causes.
 */
export function openExplorer(fill: (site: Explorer) => Promise<unknown>, expected = /^$/) {
  const opened: RecordedPage[] = []
  const end: (() => Promise<unknown>)[] = []
  const site = { log: [], requested: () => opened.flatMap(({ requested }) => requested) } as unknown as Explorer

  before(async () => {
    const { url, sql, drop } = await freshDatabase()
    end.unshift(drop)
    const settings = { DATABASE_URL: url }
    Object.assign(site, { settings, sql, key: await issueKey(sql, 'explorer'), open, visit })
    await fill(site)
    const service = await startArtifact(settings, site.log)
    end.unshift(service.close)
    const browser = await openBrowser()
    end.unshift(() => browser.close())
    Object.assign(site, { origin: service.url, browser })
  })
  afterEach(() => Promise.all(opened.map(({ page }) => page.context().close())))
  after(async () => {
    for (const one of end) await one()
  })

  async function visit(hash = '', { origin = site.origin, ...options }: VisitOptions = {}) {
    const watched = await openPage(site.browser, `${origin}/explorer${hash}`, options)
    opened.push(watched)
    return watched.page
  }
  async function open(hash = '', { key = site.key, ...options }: VisitOptions = {}) {
    const page = await visit(hash, options)
    await enterKey(page, key)
    return page
  }

  /** Tests to run after all others of the file. */
  const claimsAboutAll: [claim: string, check: () => void][] = [
    [
      'no page sent a request to another host, broke its policy, or logged an error or a warning of its own',
      () => {
        const isOwn = (url: string) => /^http:\/\/127\.0\.0\.1:\d+\//.test(url)
        checkPages(opened, isOwn, (complaint) => expected.test(complaint))
      },
    ],
    [
      'no key appears in a URL or in the log',
      () => {
        assert.ok(site.log.some((line) => line.includes('/api/external/v1/key')))
        assert.deepEqual(
          [...site.log, ...site.requested()].filter((text) => /wg_[0-9a-z]{12}_/.test(text)),
          [],
        )
      },
    ],
  ]
  return { site, claimsAboutAll }
}

export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Open' }).click()
}

/** Changes the view without loading the page again, which would lose the key. */
export const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`)

export const panelOf = (page: Page, title: string) =>
  page.locator('section.panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

export const textsOf = (page: Page, selector: string) => page.locator(selector).allInnerTexts()

export const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/i

/** Opens the list behind a figure, and checks that it has as many rows. */
export async function checkList(page: Page, hash: string, figure: number): Promise<void> {
  await goTo(page, hash)
  await page.locator('.task-panel').waitFor()
  await checkRows(page, figure)
}

/** Scrolls to the end of a list page by page, and checks that it has this many different rows. */
export const checkRows = (page: Page, count: number) =>
  settles(
    () =>
      page.evaluate(`(() => {
        scrollTo(0, document.documentElement.scrollHeight)
        const rows = [...document.querySelectorAll('.task-panel .reference')].map((row) => row.textContent)
        return [rows.length, new Set(rows).size, document.querySelectorAll('.task-panel .end').length]
      })()`),
    [count, count, 0],
  )

/** Waits until the page shows this. */
export async function settles<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const end = performance.now() + 30_000
  let last = await read()
  while (JSON.stringify(last) !== JSON.stringify(expected) && performance.now() < end) {
    await sleep(20)
    last = await read()
  }
  assert.deepEqual(last, expected)
}

/** Waits until everything that the view needs has been read. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await settles(() => page.evaluate<number>(`document.querySelectorAll('[aria-busy], noscript p').length`), 0)
  await page.waitForLoadState('networkidle')
}

/** Violations of the accessibility rules, as "rule: element". */
export async function violationsOf(page: Page): Promise<string[]> {
  // The policy forbids a script element, but not the protocol of the browser.
  await page.evaluate(`{ ${await readFile('node_modules/axe-core/axe.min.js', 'utf8')} }`)
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`)
}

/** The width that the page needs. */
export const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')
