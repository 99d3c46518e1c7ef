// Opens the documentation of the artifact, with demo data, in a browser whose requests and errors are recorded.

import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { command, freshDatabase, issueKey, startArtifact, type Sql } from '../support/workgate.ts'
import { checkPages, openBrowser, openPage, type RecordedPage } from './browser.ts'

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
}

export interface Documentation {
  browser: Browser
  sql: Sql
  key: string
  origin: string
  docs: string
  operations: Operation[]
  operation(id: string): Operation
  /** Opens a path below /docs. The page is closed after the test. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
  /** Saves a screenshot for a person to review. */
  screenshot(page: Page, name: string): Promise<unknown>
}

const expected = [
  // A library of the renderer tests whether it may compile code, and works without.
  'policy: script-src eval',
  // The browser itself logs every such response.
  'error: Failed to load resource: the server responded with a status of 401 (Unauthorized)',
]

/** Call this at the top of a test file. The file's last tests must be claimsAboutAll. */
export function openDocumentation() {
  const log: string[] = []
  const opened: RecordedPage[] = []
  const end: (() => Promise<unknown>)[] = []
  const site = {} as Documentation

  before(async () => {
    const { url, sql, drop } = await freshDatabase()
    end.unshift(drop)
    await command(['demo', '--projects', '3', '--tasks', '60'], { DATABASE_URL: url })
    const service = await startArtifact({ DATABASE_URL: url }, log)
    end.unshift(service.close)
    const browser = await openBrowser()
    end.unshift(() => browser.close())
    const screenshots = await mkdtemp(join(tmpdir(), 'workgate-screenshots-'))
    console.log(`screenshots are in ${screenshots}`)
    Object.assign(site, {
      browser,
      sql,
      key: await issueKey(sql, 'reader'),
      origin: service.url,
      docs: `${service.url}/docs`,
      operations: await operationsOf(`${service.url}/openapi.json`),
      operation: (id) => site.operations.find((operation) => operation.id === id)!,
      async open(path = '', options = {}) {
        const watched = await openPage(browser, `${service.url}/docs${path}`, options)
        opened.push(watched)
        return watched.page
      },
      screenshot: (page, name) => page.screenshot({ path: join(screenshots, `${name}.png`) }),
    } satisfies Documentation)
  })
  afterEach(() => Promise.all(opened.map(({ page }) => page.context().close())))
  after(async () => {
    for (const one of end) await one()
  })

  /** Tests to run after all others of the file. */
  const claimsAboutAll: [claim: string, check: () => void][] = [
    [
      'no page sent a request to another host, or logged an error or a warning',
      () => {
        const isOwn = (url: string) => URL.canParse(url) && new URL(url).origin === site.origin
        checkPages(opened, isOwn, (complaint) => expected.includes(complaint))
      },
    ],
    [
      'no key appears in a URL or in the log',
      () => {
        assert.ok(log.some((line) => line.includes('"/openapi.json"')))
        const secret = site.key.slice(16, -6)
        assert.ok(![...log, ...opened.flatMap(({ requested }) => requested)].some((text) => text.includes(secret)))
      },
    ],
  ]

  return { site, claimsAboutAll }
}

async function operationsOf(url: string): Promise<Operation[]> {
  const { paths } = (await (await fetch(url)).json()) as { paths: Record<string, Record<string, any>> }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method === 'get' || method === 'post')
      .map(([method, { operationId: id, summary }]) => ({ id, method: method.toUpperCase(), path, summary })),
  )
}

export const linkTo = (page: Page, { id }: Operation) => page.getByRole('complementary').locator(`a[href$="/${id}"]`)

export const sectionOf = (page: Page, { id }: Operation) => page.locator(`main section[id$="/${id}"]`)

export const headingOf = (page: Page, operation: Operation) =>
  sectionOf(page, operation).getByRole('heading', { name: operation.summary, exact: true })
