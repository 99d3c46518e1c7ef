// The explorer shows hostile and extreme data as text: npm test -- --alone test/ci/explorer-data.test.ts

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sql } from '../support/workgate.ts'
import { goTo, loaded, openExplorer, settles, textsOf, violationsOf, widthOf } from './exploring.ts'

const { site, claimsAboutAll } = openExplorer(({ sql }) =>
  Promise.all([fillHostile(sql), fillExtremes(sql), fillFormatted(sql)]),
)

const attack = `<img src=x onerror="window.attacked=1"><script>window.attacked=1</script><b>bold</b>&amp;`
/** From right to left, and with characters that turn the direction around, and a flag and a family of one character. */
const turned = 'משימה \u202eevil\u2066 🏳️‍🌈👩‍👩‍👧‍👦'
/** Without a place to break, as long as the column allows. */
const long = (start: string, length: number) => start + 'W'.repeat(length - start.length)

const links = [
  'https://example.com/a?b=1&c=%22%3E#d',
  'http://example.org/"onmouseover="window.attacked=1',
  'javascript:window.attacked=1',
  'JAVASCRIPT:alert(1)//https://example.net/x',
  'data:text/html,<script>window.attacked=1</script>',
  '[click](javascript:window.attacked=1)',
  'vbscript:x ftp://example.com/ //example.com/ https:example.com',
]
const text = `${[attack, turned, ...links].join('\n')}\n\n${long('', 10_000)}`

const [name, title, tag] = [long(`${attack}${turned}`, 200), long(`${attack}${turned}`, 500), long(attack, 100)]

/** Everything that somebody can write, in one project. */
async function fillHostile(sql: Sql) {
  const [ids] = await sql<[{ project: string; user: string; board: string; stage: string; task: string; tag: string }]>`
    select gen_random_uuid() as project, gen_random_uuid() as user, gen_random_uuid() as board,
      gen_random_uuid() as stage, gen_random_uuid() as task, gen_random_uuid() as tag`
  const { project, user, board, stage, task } = ids
  const comment = crypto.randomUUID()
  const rows: [table: string, row: Record<string, unknown>][] = [
    ['users', { id: user, name }],
    ['projects', { id: project, key: 'HOSTILE', name, description: text, due_date: '9999-12-31' }],
    ['project_members', { project_id: project, user_id: user }],
    ['boards', { project_id: project, id: board, name }],
    ['stages', { project_id: project, id: stage, board_id: board, name, category: 'active' }],
    ['tags', { project_id: project, id: ids.tag, name: tag }],
    ...[title, attack, turned, links.join(' ').slice(0, 500)].map((title, n): [string, Record<string, unknown>] => [
      'tasks',
      {
        project_id: project,
        ...(n === 0 && { id: task }),
        title,
        description: text,
        stage_id: stage,
        assignee_id: user,
        creator_id: user,
        parent_id: n === 0 ? null : task,
        type: long(attack, 100).toLowerCase(),
        fields: {
          hostile: text.slice(0, 9_000),
          constructor: links.slice(1),
          x: long(attack, 200),
          [long('long', 48)]: -999_999_999.9999,
        },
        due_date: '0001-01-01',
        estimate_seconds: 2_147_483_647,
        external_id: long('"><script>window.attacked=1</script>', 200).slice(0, 199) + n,
        external_url: long(`https://example.com/"><script>window.attacked=1</script>`, 2000),
      },
    ]),
    ['task_tags', { project_id: project, task_id: task, tag_id: ids.tag }],
    ['task_watchers', { project_id: project, task_id: task, user_id: user }],
    ['comments', { project_id: project, id: comment, task_id: task, author_id: user, body: text }],
    ...['https://example.com/"onmouseover="window.attacked=1', 'https://example.com/file'].map(
      (url): [string, Record<string, unknown>] => [
        'files',
        { project_id: project, comment_id: comment, name: title, mime_type: 'text/html', size_bytes: 2 ** 53 - 1, url },
      ],
    ),
    [
      'documents',
      { project_id: project, path: long(attack, 1000), title, task_id: task, author_id: user, markdown: text },
    ],
    [
      'time_entries',
      {
        project_id: project,
        task_id: task,
        user_id: user,
        description: text,
        spent_on: new Date().toISOString().slice(0, 10),
        started_at: '0001-01-01T00:00:00Z',
        ended_at: new Date(),
      },
    ],
  ]
  for (const [field, type] of [
    ['hostile', 'text'],
    ['constructor', 'list'],
    ['x', 'text'],
    [long('long', 48), 'number'],
  ])
    await sql`select workgate.add_field(${field!}, ${type!})`
  for (const [table, row] of rows) await sql`insert into ${sql(`workgate.${table}`)} ${sql(row)}`
  await sql`
    update workgate.tasks set state = 'completed', completed_at = now()
    where project_id = ${project} and title = ${turned}`
}

/** A project without tasks, one with nothing done, one with everything done, and more projects than the page reads. */
async function fillExtremes(sql: Sql) {
  await sql`
    insert into workgate.projects (key, name, created_at, updated_at)
    select 'P' || n, 'Project ' || n, now() - interval '1 year', now() - interval '1 year'
    from generate_series(1, 1000) n`
  await sql`insert into workgate.projects (key, name) values ('EMPTY', 'Empty'), ('NEW', 'New'), ('DONE', 'Done')`
  await sql`
    insert into workgate.tasks (project_id, title, state, completed_at)
    select p.id, 'Task ' || n, s.state, case s.state when 'completed' then now() end
    from workgate.projects p
    join (values ('NEW', 'open'), ('DONE', 'completed')) as s (key, state) using (key)
    cross join generate_series(1, 3) n`
}

const wiki = `h2. Steps
# Open the *page* of [the shop|https://example.com/shop]
#* on a phone
# Press {{Pay}}

||Browser||Result||
|Firefox|works|
|${long('', 200)}|fails|

{code:java}
${long('', 200)}
{code}
{quote}
I can -not- pay.
{quote}
!screenshot.png|thumbnail! by [~ada]`

const markdown = `### Found it
- [x] \`pay()\` is *not* called
- [ ] Ask **Ada**

> I can pay.

![a picture](https://example.com/picture.png)`

const html = `<style>p { color: red }</style><h1>Steps</h1>
<p onclick="window.attacked = 1">Open <b>it</b><script>window.attacked = 1</script>
<img src="x" onerror="window.attacked = 1" alt="A picture"><a href="javascript:window.attacked=1">this</a>
<a href="https://example.com/x">that</a></p><iframe src="x"></iframe><table><tr><td>1</td></tr></table>`

/** A task with text in the wiki markup of Jira, and comments in Markdown and HTML. */
async function fillFormatted(sql: Sql) {
  const [row] = await sql`insert into workgate.projects (key, name) values ('TEXT', 'Text') returning id`
  const [project, id] = [row!['id'], crypto.randomUUID()]
  await sql`insert into workgate.tasks ${sql({ project_id: project, id, title: 'Formatted', description: wiki })}`
  await sql`insert into workgate.comments ${sql([
    { project_id: project, task_id: id, body: markdown, body_format: null, created_at: '2026-01-01' },
    { project_id: project, task_id: id, body: html, body_format: 'html', created_at: '2026-01-02' },
  ])}`
}

/** Elements and scripts that the page never makes by itself. */
const created = (page: Page) =>
  page.evaluate(`[window.attacked, document.querySelectorAll('img, main script, main b, iframe, [onerror]').length]`)

/** The addresses of links to elsewhere, and those of any other kind than to a view or a guide. */
const linksOf = (page: Page) =>
  page.evaluate<string[][]>(`[...document.querySelectorAll('main a[href]')]
    .map((link) => [link.getAttribute('href'), link.rel, link.target])
    .filter(([href]) => !href.startsWith('#/') && !href.startsWith('docs/'))`)

for (const width of [360, 1280]) {
  test(`text with HTML, addresses, long words and two directions is only text at ${width} pixels`, async () => {
    const page = await site.open('#/tasks', { viewport: { width, height: 800 } })
    for (const [view, shown] of [
      ['/?q=HOSTILE', name],
      ['/projects/HOSTILE', name],
      [`/tasks?q=bold`, title],
      ['/projects/HOSTILE/tasks', title],
      [`/projects/HOSTILE/tasks?tag=${encodeURIComponent(tag)}`, tag],
      ['/projects/HOSTILE/tasks/1', title],
    ] as const) {
      await goTo(page, `#${view}`)
      await loaded(page)
      await page.locator('bdi').getByText(shown, { exact: true }).first().waitFor()
      for (const name of ['Table', 'Request'])
        for (const button of await page.getByRole('button', { name, exact: true }).all()) await button.click()
      assert.deepEqual(await created(page), [undefined, 0], view)
      assert.equal(await widthOf(page), width, view)
      for (const [href, ...how] of await linksOf(page)) {
        assert.match(href!, /^https?:\/\/example\.(com|org|net)\//i)
        assert.deepEqual(how, ['noopener noreferrer', '_blank'])
      }
    }
    assert.deepEqual(await page.locator('.description .text').allInnerTexts(), [text.replace('&amp;', '&')])
    const addresses = await page.locator('.description a').evaluateAll((found) => found.map(String))
    assert.deepEqual(addresses, [
      links[0],
      'http://example.org/%22onmouseover=%22window.attacked=1',
      'https://example.net/x',
    ])
  })
}

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 360],
] as const) {
  test(`Markdown and wiki markup are shown formatted at ${width} pixels in ${colorScheme} colors`, async () => {
    const page = await site.open('#/projects/TEXT/tasks/1', { colorScheme, viewport: { width, height: 800 } })
    await loaded(page)
    const elements = (place: string) =>
      page.locator(`${place} .text *`).evaluateAll((all) => all.map(({ localName }) => localName).join(' '))
    assert.equal(
      await elements('.description'),
      'h3 ol li strong a ul li li code div table thead tr th th tbody tr td td tr td td pre code blockquote p del p',
    )
    assert.equal(await elements('.comments'), 'h3 ul li code em li strong blockquote p p a h3 p strong a table tr td')
    const shownHtml = await page.locator('.comments .text.html').innerText()
    assert.equal(shownHtml.replace(/\s+/g, ' ').trim(), 'Steps Open it A picturethis that 1')
    assert.deepEqual(await created(page), [undefined, 0])
    assert.equal(await widthOf(page), width)
    assert.deepEqual(await violationsOf(page), [])
  })
}

test('projects without tasks, with nothing done and with everything done are told apart', async () => {
  const page = await site.open('#/projects/EMPTY')
  for (const [key, sentence] of [
    ['EMPTY', 'This project has no tasks yet.'],
    ['NEW', /^0 of 3 done, 3 open\. Too little history/],
    ['DONE', 'Everything is done: 3 tasks.'],
  ] as const) {
    await goTo(page, `#/projects/${key}`)
    await page.locator('.outlook').getByText(sentence).waitFor()
    await loaded(page)
    assert.doesNotMatch(await page.locator('main').innerText(), /NaN|Infinity|undefined|null/)
  }
})

test('of more than 1,000 projects, the list says which ones it shows, and finds the others', async () => {
  const page = await site.open()
  await page.getByText('The 1,000 projects that were active last. Search for the others.').waitFor()
  const rows = () => textsOf(page, 'table.projects th a')
  assert.equal((await rows()).length, 1_000)
  await page.getByText('1,005', { exact: true }).waitFor()
  const progress = (project: string) =>
    page.locator('table.projects tr', { hasText: project }).locator('.progress-cell').innerText()
  assert.deepEqual(await Promise.all(['EMPTY', 'NEW', 'DONE'].map(progress)), ['–', '0%', '100%'])
  await page.getByLabel('Search projects').fill('project 777')
  await page.keyboard.press('Enter')
  await settles(rows, ['Project 777'])
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
