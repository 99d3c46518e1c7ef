// The appearance and the size of the documentation in a browser: npm test -- test/ci/docs-appearance.test.ts

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { guides } from '../../src/docs/guides.ts'
import { transferredBytes } from './browser.ts'
import { headingOf, linkTo, openDocumentation, sectionOf } from './documentation.ts'

const { site, claimsAboutAll } = openDocumentation()
const width = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

for (const encodings of ['br, gzip', 'gzip']) {
  test(`the first visit transfers less than 1.2 MB with ${encodings}`, async () => {
    const bytes = await transferredBytes(site.browser, site.docs, encodings)
    console.log(`the first visit transfers ${bytes} bytes with ${encodings}`)
    assert.ok(bytes > 300_000 && bytes < 1_200_000, `${bytes} bytes`)
  })
}

/** The background of every part of a page, to tell the themes apart. */
const background = (page: Page) =>
  page.evaluate<string>(
    `['.top', 'body', 'pre, .scalar-app'].map((part) => getComputedStyle(document.querySelector(part)).backgroundColor).join(' ')`,
  )

for (const path of ['', '/keys']) {
  test(`the theme of /docs${path} follows the system, and the button chooses another`, async () => {
    const seen: Record<string, string> = {}
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await site.open(path, { colorScheme })
      if (path === '') {
        await linkTo(page, site.operation('listTasks')).click()
        await headingOf(page, site.operation('listTasks')).waitFor()
      }
      await site.screenshot(page, `desktop ${colorScheme} ${path.slice(1)}`)
      seen[colorScheme] = await background(page)
      const button = page.getByRole('button', { name: /^Theme: / })
      for (const theme of ['light', 'dark', 'system']) {
        await button.click()
        assert.match((await button.getAttribute('aria-label'))!, new RegExp(`^Theme: ${theme}\\.`))
        seen[`${theme} on ${colorScheme}`] = await background(page)
      }
    }
    const { light, dark } = seen
    assert.notEqual(light, dark)
    assert.deepEqual(seen, {
      light,
      dark,
      'light on light': light,
      'dark on light': dark,
      'system on light': light,
      'light on dark': light,
      'dark on dark': dark,
      'system on dark': dark,
    })
  })
}

test('the theme is the same on all pages, and applies before anything is drawn', async () => {
  const page = await site.open('/keys', { colorScheme: 'light' })
  const light = await background(page)
  for (let n = 0; n < 2; n++) await page.getByRole('button', { name: /^Theme: / }).click()
  const dark = await background(page)
  assert.notEqual(light, dark)
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.body) return
    window.themeAtFirst = document.documentElement.dataset.theme
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`)
  for (const path of ['/errors', '']) {
    await page.goto(site.docs + path)
    assert.equal(await page.evaluate('window.themeAtFirst'), 'dark')
    if (path) assert.equal(await background(page), dark)
    else await page.locator('body.dark-mode').waitFor()
  }
})

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

  test('the reference is readable, and a request can be sent', async () => {
    const page = await site.open('', phone)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await site.screenshot(page, 'phone')
    await page.getByRole('button', { name: 'Open Menu' }).tap()
    await site.screenshot(page, 'phone menu')
    const operation = site.operation('listProjects')
    await linkTo(page, operation).tap()
    await headingOf(page, operation).waitFor()
    assert.equal(await width(page), 390)
    await site.screenshot(page, 'phone operation')
    await sectionOf(page, operation).getByRole('button', { name: 'Test Request' }).tap()
    const dialog = page.getByRole('dialog', { name: 'API Client' })
    await dialog.getByRole('button', { name: 'Send get request' }).tap()
    await dialog.getByText('401 Unauthorized').waitFor()
    assert.equal(await width(page), 390)
    await site.screenshot(page, 'phone request')
  })

  test('the guides are readable', async () => {
    const page = await site.open('', phone)
    for (const { slug, title } of guides) {
      await page.goto(`${site.docs}/${slug}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      assert.equal(await width(page), 390, slug)
      await site.screenshot(page, `phone guide ${slug}`)
    }
  })
})

test('on a phone, code that is wider than the screen has a shade at its edge until its end is visible', async () => {
  const page = await site.open('/keys', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const code = page.locator('pre', { hasText: 'Create a key for two projects' })
  await code.scrollIntoViewIfNeeded()
  const box = (await code.boundingBox())!
  // The padding below the code contains no text.
  const corner = (x: number) =>
    page.screenshot({ clip: { x, y: box.y + box.height - 8, width: 6, height: 6 }, animations: 'disabled' })
  const edges = async () => [await corner(box.x + 2), await corner(box.x + box.width - 8)] as const
  const [left, right] = await edges()
  assert.ok(!left.equals(right), 'at the beginning, only the right edge is shaded')
  await code.evaluate((element) => element.scrollTo(element.scrollWidth, 0))
  const [scrolledLeft, scrolledRight] = await edges()
  assert.ok(scrolledRight.equals(left) && !scrolledLeft.equals(left), 'at the end, only the left edge is shaded')
})

test('the drawing has a title and a description, and its text is readable on a phone', async () => {
  const page = await site.open('/quick-start', { viewport: { width: 390, height: 844 } })
  const drawing = page.getByRole('img', { name: 'Channels, database, API and clients' })
  await drawing.scrollIntoViewIfNeeded()
  const heights = await drawing.locator('text').evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height)) // prettier-ignore
  assert.ok(heights.length > 10 && Math.min(...heights) >= 12, heights.join(' '))
  assert.match((await drawing.locator('desc').textContent())!, /^SQL, imports and replication write/)
})

test('without scripts, the page links to the guides and the OpenAPI document', async () => {
  const page = await site.open('', { javaScriptEnabled: false })
  for (const to of ['.top a[href="docs/quick-start"]', 'noscript a[href="openapi.json"]']) {
    assert.ok(await page.locator(to).first().isVisible(), to)
  }
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
