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

test('the color scheme follows the system, and the button switches it', async () => {
  const colors: string[][] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await site.open('', { colorScheme })
    const background = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.top')).backgroundColor`)
    await linkTo(page, site.operation('listTasks')).click()
    await headingOf(page, site.operation('listTasks')).waitFor()
    await site.screenshot(page, `desktop ${colorScheme}`)
    const before = await background()
    await page.getByRole('button', { name: /^Set (light|dark) mode/ }).click()
    colors.push([before, await background()])
  }
  const [light, dark] = colors[0]!
  assert.notEqual(light, dark)
  assert.deepEqual(colors[1], [dark, light])
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

test('without scripts, the page links to the guides and the OpenAPI document', async () => {
  const page = await site.open('', { javaScriptEnabled: false })
  for (const to of ['.top a[href="docs/quick-start"]', 'noscript a[href="openapi.json"]']) {
    assert.ok(await page.locator(to).first().isVisible(), to)
  }
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
