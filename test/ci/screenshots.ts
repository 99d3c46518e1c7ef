// npm run screenshots
// Writes the pictures of the explorer for the README and the guides. They show the demo data of today in the fonts of
// this machine, so nothing compares them: run it after a change that can be seen.

import { mkdir, writeFile } from 'node:fs/promises'
import { openBrowser } from './browser.ts'
import { startDemoService } from './demo-service.ts'
import { enterKey, loaded } from './exploring.ts'

const folder = 'src/docs/images'
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2 }

const pictures = [
  ['explorer-projects', '', { ...desktop, colorScheme: 'light' }],
  ['explorer-project', '#/projects/WEB', { ...desktop, colorScheme: 'light' }],
  ['explorer-tasks', '#/projects/WEB/tasks?state=open&sort=dueDate', { ...phone, colorScheme: 'dark' }],
] as const

const service = await startDemoService([])
const browser = await openBrowser()
try {
  await mkdir(folder, { recursive: true })
  for (const [name, hash, options] of pictures) {
    const context = await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${service.origin}/explorer${hash}`)
    await enterKey(page, service.key)
    await loaded(page)
    await page.mouse.move(0, 0)
    const client = await context.newCDPSession(page)
    const { data } = await client.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    await writeFile(`${folder}/${name}.webp`, data, 'base64')
    await context.close()
  }
} finally {
  await browser.close()
  await service.stop()
}
