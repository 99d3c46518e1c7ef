// Measures how long the explorer takes to show the projects in a browser, with a quarter of the CPU: from the opening of
// the page, with nothing in the browser's cache, to the first row of the list.

import { openBrowser } from '../ci/browser.ts'
import type { Part } from './part.ts'
import { atMost, milliseconds, printTable } from './table.ts'

const maxSeconds = 1
const slowDown = 4

/** Records when the first row appears. The page finds the key where it keeps it for a tab. */
const watch = (key: string) => `
  sessionStorage.setItem('workgate-key', '${key}')
  new MutationObserver((_, observer) => {
    if (!document.querySelector('table.projects tbody tr')) return
    observer.disconnect()
    window.firstRowAt = new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))
  }).observe(document, { childList: true, subtree: true })`

export const benchExplorer: Part = async ({ sql, uncached, headers, rounds }) => {
  const [few] = await sql<[{ key: string }]>`
    select workgate.issue_key('explorer', 'selected_projects', project_ids => array(select id from workgate.projects limit 12)) as key`
  const all = headers['authorization']!.replace('Bearer ', '')
  const browser = await openBrowser()

  async function firstView(key: string): Promise<number> {
    const context = await browser.newContext()
    await context.addInitScript(watch(key))
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    await page.goto(`${uncached.url}/explorer`)
    await page.locator('table.projects tbody tr').first().waitFor()
    const at = await page.evaluate<number>('window.firstRowAt')
    await context.close()
    return at / 1_000
  }
  async function best(key: string): Promise<number> {
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++) seconds.push(await firstView(key))
    return Math.min(...seconds)
  }
  try {
    const [ofFew, ofAll] = [await best(few.key), await best(all)]
    printTable('First view of the explorer, with a quarter of the CPU', [
      ['12 projects', milliseconds(ofFew), atMost(`${maxSeconds} s`, ofFew <= maxSeconds)],
      ['all projects', milliseconds(ofAll), ''],
    ])
  } finally {
    await browser.close()
  }
}
