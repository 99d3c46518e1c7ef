// The reference in a browser: npm test -- test/ci/docs-reference.test.ts

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { storedData } from './browser.ts'
import { headingOf, linkTo, openDocumentation, sectionOf } from './documentation.ts'

const { site, claimsAboutAll } = openDocumentation()

test('the page shows every operation of /openapi.json, and its list links to each', async () => {
  assert.ok(site.operations.length >= 24, `${site.operations.length} operations`)
  const page = await site.open()
  for (const operation of site.operations) {
    const { summary, method, path } = operation
    const name = await linkTo(page, operation).innerText()
    assert.ok(name.startsWith(summary) && name.endsWith(method), name)
    await linkTo(page, operation).click()
    await headingOf(page, operation).waitFor()
    const example = `Request Example for ${method.toLowerCase()}${path}`
    await sectionOf(page, operation).getByRole('group', { name: example, exact: true }).waitFor()
    assert.ok(page.url().endsWith(`/${operation.id}`), page.url())
  }
})

test("the page has no external links or services, except a link to the renderer's site", async () => {
  const page = await site.open()
  await linkTo(page, site.operations[0]!).waitFor()
  const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
  assert.deepEqual(
    links.filter((link) => new URL(link, page.url()).origin !== site.origin),
    ['https://www.scalar.com'],
  )
  assert.equal(await page.getByText(/\b(AI|MCP|SDKs?|Agent|Developer Tools|Deploy)\b/).count(), 0)
})

describe('a request from the page', () => {
  const headers = ['authorization', 'x-api-key'] as const
  type Header = (typeof headers)[number]

  /** Sends the request with a key. Returns the dialog, and the URL and headers that were sent. */
  async function send(page: Page, header: Header, given: string) {
    const operation = site.operation('listProjects')
    await linkTo(page, operation).click()
    await sectionOf(page, operation).getByRole('button', { name: 'Test Request' }).click()
    const dialog = page.getByRole('dialog', { name: 'API Client' })
    if (header === 'x-api-key') {
      await dialog.getByRole('button', { name: 'Selected Auth Type' }).click()
      await page.getByRole('option', { name: /^apiKey/ }).click()
      await page.getByRole('option', { name: /^bearer/ }).click()
      await dialog.getByRole('button', { name: 'Selected Auth Type' }).click()
    }
    await dialog.getByRole('region', { name: 'Authentication' }).getByRole('textbox').fill(given)
    const sent = page.waitForRequest((request) => request.url().startsWith(`${site.origin}/api/`))
    await dialog.getByRole('button', { name: 'Send get request' }).click()
    const request = await sent
    return { dialog, url: request.url(), headers: await request.allHeaders() }
  }

  for (const header of headers) {
    test(`with a key in ${header} shows the real response, and the key is not stored`, async () => {
      const page = await site.open()
      const { dialog, url, headers } = await send(page, header, site.key)
      const [project] = await site.sql`select name from workgate.projects order by created_at desc limit 1`
      await dialog.getByText('200 OK').waitFor()
      await dialog.getByText(JSON.stringify(project!['name'])).waitFor()
      assert.ok(headers[header]?.endsWith(site.key))
      // Parameters that are not ticked are not sent.
      assert.deepEqual([url, headers['if-none-match']], [`${site.origin}/api/external/v1/projects`, undefined])
      await site.screenshot(page, `response to ${header}`)
      assert.doesNotMatch(await storedData(page), /wg_/)
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.doesNotMatch(await storedData(page), /wg_/)
      for (const field of await page.locator('input').all()) assert.doesNotMatch(await field.inputValue(), /wg_/)
    })
  }

  for (const id of ['getTask', 'listTasks', 'getProgress', 'getTimeReport', 'verifyWorkPacket', 'createTask']) {
    test(`to ${id} succeeds with the examples of the page`, async () => {
      const page = await site.open()
      const operation = site.operation(id)
      await linkTo(page, operation).click()
      await sectionOf(page, operation).getByRole('button', { name: 'Test Request' }).click()
      const dialog = page.getByRole('dialog', { name: 'API Client' })
      await dialog.getByRole('region', { name: 'Authentication' }).getByRole('textbox').fill(site.key)
      const responded = page.waitForResponse((response) => response.url().startsWith(`${site.origin}/api/`))
      await dialog.getByRole('button', { name: `Send ${operation.method.toLowerCase()} request` }).click()
      const response = await responded
      assert.equal(
        response.status(),
        operation.method === 'POST' ? 201 : 200,
        `${response.url()}: ${await response.text()}`,
      )
      await dialog.getByText(operation.method === 'POST' ? '201 Created' : '200 OK').waitFor()
      await site.screenshot(page, `response to ${id}`)
    })
  }

  test('to a report is offered the last days', async () => {
    const page = await site.open()
    const operation = site.operation('getTimeReport')
    await linkTo(page, operation).click()
    await sectionOf(page, operation).getByRole('button', { name: 'Test Request' }).click()
    const dialog = page.getByRole('dialog', { name: 'API Client' })
    await dialog.getByText(new Date().toISOString().slice(0, 10), { exact: true }).waitFor()
  })

  test('with a wrong key shows the problem', async () => {
    const page = await site.open()
    const { dialog } = await send(page, 'authorization', `${site.key.slice(0, -1)}x`)
    await dialog.getByText('401 Unauthorized').waitFor()
    await dialog.getByText('"UNAUTHENTICATED"').waitFor()
    await site.screenshot(page, 'problem')
  })
})

test('the keyboard reaches the skip link, the header, the search and the theme', async () => {
  const page = await site.open()
  await linkTo(page, site.operations[0]!).waitFor()
  const focused = () => page.evaluate<string>(`document.activeElement.textContent.trim().slice(0, 30)`)
  await page.keyboard.press('Tab')
  assert.equal(await focused(), 'Skip to content')
  await site.screenshot(page, 'skip')
  const along: string[] = []
  for (let n = 0; n < 6; n++) {
    await page.keyboard.press('Tab')
    along.push(await focused())
  }
  assert.deepEqual(along, ['Workgate', 'Explorer', 'Guides', 'Reference', 'OpenAPI', 'Search/'])
  await page.keyboard.press('Tab')
  assert.match(await page.evaluate<string>(`document.activeElement.getAttribute('aria-label')`), /^Theme: system/)
  await page.locator('.skip').focus()
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
