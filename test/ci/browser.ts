// Opens pages in Debian's Chromium and records their requests, errors and warnings.

import assert from 'node:assert/strict'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

export interface RecordedPage {
  page: Page
  /** The URLs of everything that the page requested, by any means. */
  requested: string[]
  /** Errors and warnings in the console, and violations of the content security policy. */
  complaints: string[]
}

const timeoutMs = 60_000
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** No other host can be resolved, so nothing leaves the machine. */
export function openBrowser(): Promise<Browser> {
  const args = ['--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
  return chromium.launch({ executablePath, args })
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<RecordedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(timeoutMs)
  const requested: string[] = []
  const complaints: string[] = []
  await context.exposeFunction('complain', (text: string) => complaints.push(text))
  await context.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      window.complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`)
  context.on('request', (request) => requested.push(request.url()))
  context.on('serviceworker', (worker) => requested.push(`service worker ${worker.url()}`))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  const page = await context.newPage()
  page.on('websocket', (socket) => requested.push(socket.url()))
  await page.goto(url)
  return { page, requested, complaints }
}

/** Fails if a page requested anything that is not our own, or complained about anything unexpected. */
export function checkPages(
  pages: readonly RecordedPage[],
  isOwn: (url: string) => boolean,
  isExpected: (complaint: string) => boolean,
): void {
  const requested = pages.flatMap(({ requested }) => requested).filter((url) => !/^(data|blob):/.test(url))
  assert.ok(requested.length > 20, `${requested.length} requests`)
  const complaints = pages.flatMap(({ complaints }) => complaints)
  assert.deepEqual(
    [requested.filter((url) => !isOwn(url)), complaints.filter((complaint) => !isExpected(complaint))],
    [[], []],
  )
}

/** Bytes over the wire of all responses to the first visit of a page. */
export async function transferredBytes(browser: Browser, url: string, encodings: string): Promise<number> {
  const context = await browser.newContext({ extraHTTPHeaders: { 'accept-encoding': encodings } })
  context.setDefaultTimeout(timeoutMs)
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  let bytes = 0
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  await client.send('Network.enable')
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await context.close()
  return bytes
}

/** Everything that a page of this origin stores, as one string. */
export function storedData(page: Page): Promise<string> {
  return page.evaluate<string>(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const rows = []
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name))
      for (const store of database.objectStoreNames) {
        rows.push(...(await done(database.transaction(store).objectStore(store).getAll())))
      }
      database.close()
    }
    const stored = [{ ...localStorage }, { ...sessionStorage }, document.cookie, rows, await caches.keys()]
    return JSON.stringify([...stored, location.href, history.state, document.title, window.name])
  })()`)
}
