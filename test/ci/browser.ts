// Debian's Chromium, with an eye on everything that it asks for and complains about.

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

export interface Watched {
  page: Page
  /** The addresses that the page asked for, in whatever way. */
  asked: string[]
  /** What stands in the console as an error or a warning, and what the policy refused. */
  complaints: string[]
}

const timeoutMs = 60_000
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** What is asked of another host would find none, and nothing goes out from a test. */
export function openBrowser(): Promise<Browser> {
  const args = ['--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
  return chromium.launch({ executablePath, args })
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(timeoutMs)
  const asked: string[] = []
  const complaints: string[] = []
  await context.exposeFunction('complain', (text: string) => complaints.push(text))
  await context.addInitScript(`
    document.addEventListener('securitypolicyviolation', (event) =>
      window.complain('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`)
  context.on('request', (request) => asked.push(request.url()))
  context.on('serviceworker', (worker) => asked.push(`service worker ${worker.url()}`))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  const page = await context.newPage()
  page.on('websocket', (socket) => asked.push(socket.url()))
  await page.goto(url)
  return { page, asked, complaints }
}

/** Bytes of all answers to the first visit of a page, as they came over the wire. */
export async function weigh(browser: Browser, url: string, encodings: string): Promise<number> {
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

/** All that a page of this origin keeps, as one text. */
export function storedBy(page: Page): Promise<string> {
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
    const kept = [{ ...localStorage }, { ...sessionStorage }, document.cookie, rows, await caches.keys()]
    return JSON.stringify([...kept, location.href, history.state, document.title, window.name])
  })()`)
}
