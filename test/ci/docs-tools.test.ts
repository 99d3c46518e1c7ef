// The search, the copy buttons, the address and the languages of examples in a browser:
// npm test -- test/ci/docs-tools.test.ts

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { headingOf, openDocumentation } from './documentation.ts'

const { site, claimsAboutAll } = openDocumentation()
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true })
const inputOf = (page: Page) => dialogOf(page).getByRole('searchbox', { name: 'Search guides and reference' })
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

describe('the search', () => {
  for (const from of ['', '/limits']) {
    test(`opens on /docs${from} with "/", and finds a section of a guide with the keyboard alone`, async () => {
      const page = await site.open(from)
      await page.keyboard.press('/')
      // Without waiting: no character is lost while the index is loading.
      await page.keyboard.type('rotate key')
      await dialogOf(page)
        .getByText(/^\d+ results$/)
        .waitFor()
      assert.equal(await inputOf(page).inputValue(), 'rotate key')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      assert.match(await focused(page), /^Keys and scope\s*Rotation/)
      await site.screenshot(page, `search ${from.slice(1)}`)
      await page.keyboard.press('Enter')
      await page.waitForURL(`${site.docs}/keys#rotation`)
      await page.getByRole('heading', { name: 'Rotation' }).waitFor()
    })

    test(`finds an operation from /docs${from}, and Enter opens the first result`, async () => {
      const page = await site.open(from)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('GET /projects/{projectId}/comments')
      await dialogOf(page).getByRole('link', { name: 'Reference List comments' }).waitFor()
      await page.keyboard.press('Enter')
      const operation = site.operation('listComments')
      await headingOf(page, operation).waitFor()
      assert.ok(page.url().endsWith(`/${operation.id}`), page.url())
      await dialogOf(page).waitFor({ state: 'hidden' })
    })
  }

  test('opens every kind of result', async () => {
    const page = await site.open('/quick-start')
    for (const [query, path, title] of [
      ['pagination', '/pagination', 'Reading lists'],
      ['docker compose', '/container#docker-compose', 'Docker Compose'],
      ['body_too_large', '/errors#BODY_TOO_LARGE', 'BODY_TOO_LARGE'],
    ] as const) {
      await page.getByRole('button', { name: 'Search' }).click()
      await inputOf(page).fill(query)
      await dialogOf(page).getByRole('link').first().click()
      await page.waitForURL(site.docs + path)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
    }
  })

  test('says that no result has all words, or that nothing was found, and Escape returns to the page', async () => {
    const page = await site.open('/keys')
    await page.getByRole('button', { name: 'Search' }).click()
    await inputOf(page).fill('rotate xyzzy')
    await dialogOf(page)
      .getByRole('status')
      .getByText(/^\d+ results with some of the words; none has all$/)
      .waitFor()
    await site.screenshot(page, 'search for any word')
    await inputOf(page).fill('xyzzy')
    await dialogOf(page).getByRole('status').getByText('0 results').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate('document.activeElement.className'), 'find')
  })

  test('is not opened by a slash in a field', async () => {
    const page = await site.open('')
    const field = page.getByPlaceholder('Token').first()
    await field.fill('a')
    await field.press('/')
    assert.equal(await field.inputValue(), 'a/')
    assert.ok(await dialogOf(page).isHidden())
  })

  test('works on a phone', async () => {
    const page = await site.open('/keys', phone)
    await page.getByRole('button', { name: 'Search' }).tap()
    await inputOf(page).fill('if-match')
    await dialogOf(page).getByRole('link').first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await site.screenshot(page, 'phone search')
    await dialogOf(page).getByRole('link').first().tap()
    await page.waitForURL(`${site.docs}/idempotency#if-match`)
  })
})

const codeWith = (page: Page, text: string) => page.locator('.code:visible', { hasText: text }).first()

describe('a copy button', () => {
  const expected = (origin: string) => `curl -s -H "Authorization: Bearer $key" ${origin}/api/external/v1/key`
  const ways: [way: string, options: BrowserContextOptions, prepare: string, isCopied: boolean][] = [
    ['with permission', { permissions: ['clipboard-read', 'clipboard-write'] }, '', true],
    ['without the clipboard, as on a page without TLS', {}, 'delete Navigator.prototype.clipboard', true],
    [
      'without any way to copy',
      {},
      'delete Navigator.prototype.clipboard; Document.prototype.execCommand = () => false',
      false,
    ],
  ]
  for (const [way, options, prepare, isCopied] of ways) {
    test(`${way} copies or selects the code, with the address of the service`, async () => {
      const page = await site.open('/keys', options)
      await page.addInitScript(prepare)
      await page.reload()
      const code = codeWith(page, 'external/v1/key')
      await code.hover()
      await code.getByRole('button', { name: 'Copy the code' }).click()
      const announcement = isCopied ? 'Copied' : 'The code is selected. Copy it with the keyboard.'
      await page.getByRole('status').getByText(announcement, { exact: true }).waitFor()
      if (!options.permissions) assert.equal(await page.evaluate('getSelection().toString()'), expected(site.origin))
      if (!isCopied) return
      // Paste into the field of the search.
      await page.keyboard.press('/')
      await page.keyboard.press('Control+v')
      assert.equal(await inputOf(page).inputValue(), expected(site.origin))
    })
  }
})

describe('the address of the examples', () => {
  const address = (page: Page) => page.locator('[data-address]').first().textContent()

  test('is that of the service in every example that uses the API, in all languages, and remains in output', async () => {
    const page = await site.open('/quick-start')
    const text = (await page.locator('article').textContent())!
    assert.deepEqual(text.match(/http:[^\s'"]+(?=\/api\/external\/v1)/g), Array(3).fill(site.origin))
    assert.match(text, /Address +http:\/\/127\.0\.0\.1:8080\n[^]*Documentation +http:\/\/127\.0\.0\.1:8080\/docs\n/)
  })

  test('is the default without scripts', async () => {
    assert.equal(await address(await site.open('/keys', { javaScriptEnabled: false })), 'http://127.0.0.1:8080')
  })

  test('contains the prefix that a proxy strips, as do results of the search', async () => {
    const proxy = createServer((incoming, outgoing) => {
      const path = incoming.url!.replace(/^\/workgate\//, '/')
      const forwarded = request(site.origin + path, { headers: { ...incoming.headers } }, (response) => {
        outgoing.writeHead(response.statusCode!, response.headers)
        response.pipe(outgoing)
      })
      incoming.pipe(forwarded)
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const context = await site.browser.newContext()
    try {
      const page = await context.newPage()
      const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/workgate`
      await page.goto(`${base}/docs/keys`)
      assert.equal(await address(page), base)
      await page.keyboard.press('/')
      await page.keyboard.type('create task')
      const link = dialogOf(page).getByRole('link').first()
      await link.waitFor()
      assert.equal(await link.getAttribute('href'), `${base}/docs#tag/tasks/createTask`)
    } finally {
      await context.close()
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})

describe('the language of the examples', () => {
  const shown = (page: Page) =>
    page
      .locator('.example > .code:visible')
      .evaluateAll((all) => [...new Set(all.map((block) => block.getAttribute('data-language')))])

  test('is curl at first; a choice applies to all examples and to the next pages, and the button stays in place', async () => {
    const page = await site.open('/quick-start')
    assert.deepEqual(await shown(page), ['sh'])
    const button = page.getByRole('button', { name: 'Python' }).nth(4)
    await button.scrollIntoViewIfNeeded()
    const before = (await button.boundingBox())!.y
    await button.click()
    assert.deepEqual(await shown(page), ['python'])
    assert.ok(Math.abs((await button.boundingBox())!.y - before) < 2)
    assert.equal(await button.getAttribute('aria-pressed'), 'true')
    assert.equal(await page.getByRole('button', { name: 'curl' }).first().getAttribute('aria-pressed'), 'false')
    await site.screenshot(page, 'example in Python')
    await page.goto(`${site.docs}/errors`)
    assert.deepEqual(await shown(page), ['python'])
  })

  test('cannot be chosen without scripts: all are visible, with their names', async () => {
    const page = await site.open('/quick-start', { javaScriptEnabled: false })
    assert.deepEqual(await shown(page), ['sh', 'js', 'python'])
    assert.deepEqual((await page.locator('.language:visible').allTextContents()).slice(0, 3), [
      'curl',
      'JavaScript',
      'Python',
    ])
    assert.equal(await page.locator('button:visible').count(), 0)
  })
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
