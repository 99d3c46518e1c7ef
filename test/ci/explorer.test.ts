// The figures of the explorer in a browser, compared with the rows:
// npm test -- --alone test/ci/explorer.test.ts

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { formatHours } from '../../src/explorer/text/format.ts'
import { command, issueKey } from '../support/workgate.ts'
import { checkList, goTo, loaded, openExplorer, panelOf, settles, textsOf } from './exploring.ts'

const { site, claimsAboutAll } = openExplorer(({ settings }) =>
  command(['demo', '--projects', '3', '--tasks', '400'], settings),
)

interface Counts {
  key: string
  name: string
  open: number
  completed: number
  cancelled: number
  overdue: number
}

/** The counts of each project, from its rows. */
const countTasks = () => site.sql<Counts[]>`
  select
    p.key, p.name,
    (count(*) filter (where t.state = 'open'))::integer as open,
    (count(*) filter (where t.state = 'completed'))::integer as completed,
    (count(*) filter (where t.state = 'cancelled'))::integer as cancelled,
    (count(*) filter (where t.state = 'open' and t.due_date < (now() at time zone 'UTC')::date))::integer as overdue
  from workgate.projects p
  left join workgate.tasks t on t.project_id = p.id
  group by p.id
  order by p.name`

const counted = 'td[data-label=open], td[data-label=done], td[data-label=overdue]'
const numberIn = (text: string) => Number(text.replace(/\D/g, ''))

describe('the overview', () => {
  test('counts the tasks of each project and of all, and links to them', async () => {
    const counts = await countTasks()
    const lists: [hash: string, figure: number][] = []
    const page = await site.open()
    const rows = page.locator('table.projects tbody tr')
    await rows.first().waitFor()
    const shown = (await rows.all()).map(async (row) => [
      await row.locator('th a').innerText(),
      ...(await row.locator(counted).allInnerTexts()).map(numberIn),
    ])
    assert.deepEqual(
      (await Promise.all(shown)).sort(),
      counts.map(({ name, open, completed, overdue }) => [name, open, completed, overdue]),
    )
    const sum = (field: 'open' | 'completed' | 'overdue') => counts.reduce((sum, one) => sum + one[field], 0)
    const [open, completed, overdue] = [sum('open'), sum('completed'), sum('overdue')]
    assert.ok(overdue > 0)
    assert.deepEqual((await textsOf(page, '.figures a')).map(numberIn), [open, completed, overdue])
    const progress = `${Math.floor((100 * completed) / (completed + open))}% of all`
    assert.deepEqual(
      (await textsOf(page, '.figures small')).map((text) => text.trim()),
      [progress],
    )
    assert.deepEqual(await textsOf(page, '.figures div:first-child dd'), [String(counts.length)])
    for (const link of await page.locator(`.figures a, tbody tr:first-child :is(${counted}) a`).all())
      lists.push([(await link.getAttribute('href'))!, numberIn(await link.innerText())])
    for (const [hash, figure] of lists.filter(([, figure]) => figure > 0)) await checkList(page, hash, figure)
  })

  test('shows the hours of this month, and the last activity', async () => {
    const projects = await site.sql<{ name: string; seconds: number; at: Date }[]>`
      select p.name, (select max(updated_at) from workgate.tasks where project_id = p.id) as at,
        (select coalesce(sum(extract(epoch from ended_at - started_at)), 0)::integer from workgate.time_entries
         where project_id = p.id and spent_on >= date_trunc('month', now() at time zone 'UTC')) as seconds
      from workgate.projects p order by p.name`
    const page = await site.open()
    await settles(
      async () => {
        const names = await textsOf(page, 'table.projects th bdi')
        const hours = await textsOf(page, 'table.projects td.hours')
        return names.map((name, n) => `${name} ${hours[n]}`).sort()
      },
      projects.map(({ name, seconds }) => `${name} ${formatHours(seconds)}`),
    )
    const dates = await page.locator('table.projects time').evaluateAll((times) => times.map((time) => time.getAttribute('datetime')!)) // prettier-ignore
    for (const { at } of projects) assert.ok(dates.some((date) => date >= at.toISOString()))
  })

  test('says which projects will be late, as their pages do', async () => {
    const [{ key }] = await site.sql<[{ key: string }]>`
      update workgate.projects p set due_date = (now() at time zone 'UTC')::date + 1
      where key = (select key from workgate.projects order by key limit 1)
      returning key`
    const page = await site.open()
    const row = page.locator('tr', { has: page.getByText(key, { exact: false }) })
    await row.locator('.late', { hasText: 'probably late' }).waitFor()
    await row.locator('th a').click()
    await page.locator('.outlook .late', { hasText: 'will probably be' }).waitFor()
    await page.locator('.outlook', { hasText: 'a week would have to be completed instead of' }).waitFor()
    assert.equal(await page.title(), `${key} · Workgate`)
  })

  test('finds projects by name, and sorts them', async () => {
    const counts = await countTasks()
    const page = await site.open()
    const names = () => textsOf(page, 'table.projects th bdi')
    await page.getByLabel('Order').selectOption('Name')
    await settles(
      names,
      counts.map(({ name }) => name),
    )
    await page.getByLabel('Order').selectOption('Most open')
    await settles(
      names,
      counts.toSorted((a, b) => b.open - a.open).map(({ name }) => name),
    )
    await page.getByLabel('Search projects').fill(counts[1]!.name.toUpperCase())
    await page.keyboard.press('Enter')
    await settles(names, [counts[1]!.name])
    await page.getByLabel('Search projects').fill('xyzzy')
    await page.keyboard.press('Enter')
    await page.getByText('No project matches “xyzzy”.').waitFor()
  })
})

describe('a project', () => {
  test('is shown at once to a key that can read no other', async () => {
    const [{ id, name }] = await site.sql<[{ id: string; name: string }]>`
      select id, name from workgate.projects order by key limit 1`
    const page = await site.open('', { key: await issueKey(site.sql, 'one project', { projects: [id] }) })
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.locator('.outlook').getByText(' done').waitFor()
  })

  test('says how many tasks are done, open and overdue, and links to them', async () => {
    const { key, open, completed, overdue } = (await countTasks()).find(({ overdue }) => overdue > 0)!
    const page = await site.open(`#/projects/${key}`)
    const sentence = page.locator('.outlook')
    await sentence.getByText(`${completed} of ${open + completed} done`).waitFor()
    const links = await sentence.locator('a').all()
    const hashes = await Promise.all(links.map((link) => link.getAttribute('href')))
    assert.deepEqual((await sentence.locator('a').allInnerTexts()).slice(1), [`${open} open`, `${overdue} overdue`])
    for (const [n, figure] of [completed, open, overdue].entries()) await checkList(page, hashes[n]!, figure)
  })

  test('has tables of the figures by week, as the rows have them, and the weeks link to their tasks', async () => {
    const timezone = 'Asia/Kolkata'
    const { key } = (await countTasks())[0]!
    // In this time zone, it belongs to last week. In UTC, it belongs to the week before.
    await site.sql`
      insert into workgate.tasks (project_id, title, state, created_at, completed_at)
      select p.id, 'In the first hour', 'completed', w.start + interval '20 minutes', w.start + interval '40 minutes'
      from workgate.projects p
      cross join lateral (
        select (date_trunc('week', now() at time zone ${timezone}) - interval '1 week') at time zone ${timezone}
      ) as w (start)
      where p.key = ${key}`
    const page = await site.open(`#/projects/${key}?timezone=${timezone}&weeks=4`, { timezoneId: timezone })
    const weeks = await site.sql<{ created: number; scope: number; done: number }[]>`
      with weeks as (
        select date_trunc('week', now() at time zone ${timezone}) - n * interval '1 week' as start
        from generate_series(0, 3) n)
      select
        (count(*) filter (where date_trunc('week', t.created_at::timestamptz at time zone ${timezone}) = w.start))::integer as created,
        (count(*) filter (where t.cancelled_at is null))::integer as scope,
        (count(*) filter (where t.completed_at::timestamptz at time zone ${timezone} < w.start + interval '1 week'))::integer as done
      from weeks w
      join workgate.tasks t on t.created_at::timestamptz at time zone ${timezone} < w.start + interval '1 week'
      join workgate.projects p on p.id = t.project_id and p.key = ${key}
      group by w.start
      order by w.start desc`
    const cells = async (title: string) => {
      const rows = await panelOf(page, title).locator('tbody tr').all()
      return Promise.all(rows.map(async (row) => (await row.locator('td').allInnerTexts()).map(numberIn)))
    }
    for (const title of ['Created and completed', 'Scope and done'])
      await panelOf(page, title).getByRole('button', { name: 'Table' }).click()
    await settles(
      async () => (await cells('Created and completed')).map(([created]) => created),
      weeks.map(({ created }) => created),
    )
    await settles(
      () => cells('Scope and done'),
      weeks.map(({ scope, done }) => [scope, done, scope - done]),
    )
    const links = [
      ...(await panelOf(page, 'Created and completed').locator('tbody a').all()),
      panelOf(page, 'Pace').locator('a'),
    ]
    const figures = await Promise.all(
      links.map(async (link) => [await link.getAttribute('href'), numberIn(await link.innerText())] as const),
    )
    const counted = figures.filter(([, figure]) => figure > 0)
    assert.ok(counted.length >= 5)
    for (const [hash, figure] of counted) await checkList(page, hash!, figure)
  })
})

describe('the figures of progress', () => {
  test('sum a field of tasks that are not of some types, as the address says, and their lists have the tasks', async () => {
    const [{ key, measured, remaining, kept }] = await site.sql<
      [{ key: string; measured: string; remaining: string; kept: string }]
    >`
      select
        p.key,
        trim_scale(sum((t.fields ->> 'storyPoints')::numeric))::text as measured,
        trim_scale(sum((t.fields ->> 'storyPoints')::numeric) filter (where t.type <> 'epic'))::text as remaining,
        (count(*) filter (where t.type <> 'epic'))::text as kept
      from workgate.tasks t
      join workgate.projects p on p.id = t.project_id
      where t.state = 'open'
      group by p.id
      having bool_or(t.type = 'epic') and sum((t.fields ->> 'storyPoints')::numeric) > 1
      limit 1`
    const page = await site.open(`#/projects/${key}`)
    await page.getByLabel('Measure').selectOption('Story points')
    const outlook = page.locator('.outlook')
    await outlook.getByText(`. ${measured} story points remain.`).waitFor()
    const menu = page.locator('.range .menu')
    await menu.getByText('All types').click()
    for (const type of ['epic', 'No type']) await menu.getByLabel(type, { exact: true }).uncheck()
    await outlook.getByText(`${remaining} story points remain, leaving out epic and tasks without a type.`).waitFor()
    const shared = `/explorer#/projects/${key}?measure=storyPoints&leaveOutType=none%2Cepic`
    assert.equal(page.url().replaceAll('epic%2Cnone', 'none%2Cepic'), site.origin + shared)
    const readout = panelOf(page, 'Scope and done').locator('.readout')
    await settles(
      async () => /^Today [\d,.]+ of [\d,.]+ story points done, (.*) open$/.exec(await readout.innerText())?.[1],
      remaining,
    )
    await panelOf(page, 'Pace').getByText('Story points per week').waitFor()
    await page.getByLabel('Measure').selectOption('Tasks')
    await outlook.getByText(`${kept} tasks remain, leaving out epic and tasks without a type.`).waitFor()
    const link = panelOf(page, 'Pace').locator('a')
    const counted = numberIn(await link.innerText())
    assert.ok(counted > 5)
    await checkList(page, (await link.getAttribute('href'))!, counted)
  })

  test('count all tasks again in another project', async () => {
    const [first, second] = await countTasks()
    const page = await site.open(`#/projects/${first!.key}?measure=storyPoints&leaveOutType=epic`)
    await page.locator('.outlook').getByText('leaving out epic').waitFor()
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await page.getByRole('link', { name: second!.name, exact: true }).click()
    await page.locator('.outlook').getByText(`${second!.open} open`).waitFor()
    await loaded(page)
    assert.equal(await page.getByLabel('Measure').inputValue(), '')
    assert.equal(await page.getByText('leaving out').count(), 0)
  })
})

test('a project shows its tasks by type, if it has types, and links to them', async () => {
  const types = await site.sql<{ key: string; type: string | null; open: number; completed: number }[]>`
    select p.key, t.type, (count(*) filter (where t.state = 'open'))::integer as open,
      (count(*) filter (where t.state = 'completed'))::integer as completed
    from workgate.tasks t
    join workgate.projects p on p.id = t.project_id
    where p.key = (select min(key) from workgate.projects)
    group by p.key, t.type`
  assert.ok(types.length > 3)
  const page = await site.open(`#/projects/${types[0]!.key}`)
  const rows = panelOf(page, 'Tasks by type').locator('.bar-row')
  const words = types.map(
    ({ type, open, completed }) => `${type ?? 'No type'} ${completed} of ${completed + open} done`,
  )
  await settles(
    async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()).sort(),
    words.sort(),
  )
  const links = await rows.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
  for (const { type, open, completed } of types.filter(({ type }) => type === null || type === 'bug'))
    await checkList(
      page,
      links.find((link) => link.includes(`type=${type ?? 'none'}&`))!,
      open + completed,
    )
  await site.sql`insert into workgate.projects (key, name) values ('PLAIN', 'Plain')`
  await site.sql`
    insert into workgate.tasks (project_id, title) select id, 'A task' from workgate.projects where key = 'PLAIN'`
  await goTo(page, '#/projects/PLAIN')
  await page.locator('.outlook').getByText('1 open').waitFor()
  await loaded(page)
  assert.equal(await panelOf(page, 'Tasks by type').count(), 0)
  assert.equal(await page.locator('.range .menu').count(), 0)
})

test('every panel shows a request for curl without the key, which returns what the panel shows', async () => {
  const { key } = (await countTasks())[0]!
  const page = await site.open(`#/projects/${key}`)
  await loaded(page)
  const panels = await page.locator('section.panel').all()
  assert.ok(panels.length >= 7)
  for (const panel of panels) {
    await panel.getByRole('button', { name: 'Request' }).click()
    const text = await panel.locator('.request pre').innerText()
    assert.ok(
      text.startsWith(`curl -H "Authorization: Bearer $WORKGATE_KEY" "${site.origin}/api/external/v1/projects/`),
    )
    assert.ok(!text.includes('wg_'))
    const env = { PATH: process.env['PATH'], WORKGATE_KEY: site.key }
    const { stdout } = await promisify(execFile)('sh', ['-c', `${text} -sS --fail`], { env })
    assert.equal(typeof JSON.parse(stdout).data, 'object', text)
  }
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
