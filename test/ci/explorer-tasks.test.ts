// The lists of tasks and the tasks of the explorer in a browser: npm test -- --alone test/ci/explorer-tasks.test.ts

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { command } from '../support/workgate.ts'
import { checkList, checkRows, loaded, openExplorer, settles, textsOf, uuid } from './exploring.ts'

const { site, claimsAboutAll } = openExplorer(({ settings }) =>
  command(['demo', '--projects', '3', '--tasks', '400'], settings),
)

const tasksOfAll = async () => (await site.sql`select count(*)::integer as n from workgate.tasks`)[0]!['n'] as number

describe('a list of tasks', () => {
  test('shows its filters in words, and each can be removed', async () => {
    const [busiest] = await site.sql<[{ key: string; id: string; name: string; assigned: number; open: number }]>`
      select p.key, u.id, u.name, count(*)::integer as assigned, (
        select count(*)::integer from workgate.tasks o where o.project_id = p.id and o.state = 'open'
      ) as open
      from workgate.tasks t
      join workgate.projects p on p.id = t.project_id
      join workgate.users u on u.id = t.assignee_id
      where t.state = 'open'
      group by p.id, u.id
      order by count(*) desc
      limit 1`
    const { key, id, name, assigned, open } = busiest
    const page = await site.open(`#/projects/${key}/tasks?state=open&assigneeId=${id}`)
    const chips = () => textsOf(page, '.chips .chip > span')
    await settles(chips, ['State open', `Assignee ${name}`])
    await checkRows(page, assigned)
    await page.getByRole('button', { name: `Remove the filter Assignee ${name}` }).click()
    await settles(chips, ['State open'])
    await checkRows(page, open)
    await page.getByText('Add filter').click()
    await page.locator('.menu').getByLabel('Priority').selectOption('Urgent')
    await settles(chips, ['State open', 'Priority urgent'])
    await page.getByRole('link', { name: 'Clear all' }).click()
    await settles(chips, [])
  })

  test('reaches all tasks by scrolling', async () => {
    const all = await tasksOfAll()
    assert.ok(all > 300)
    const page = await site.open()
    await checkList(page, '#/tasks', all)
  })

  test('shows the same rows when the user comes back from a task', async () => {
    const page = await site.open('#/tasks')
    await checkRows(page, await tasksOfAll())
    const row = page.locator('.task-line').nth(200)
    const place = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top))
    await row.scrollIntoViewIfNeeded()
    const before = await place()
    await row.locator('.title').click()
    await page.locator('.task-heading').waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
    await page.goBack()
    await row.waitFor()
    await settles(place, before)
    assert.ok(await row.locator('.title:focus').isVisible(), 'the next key continues here')
    await page.goForward()
    await page.locator('.task-heading').waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
  })

  test('finds tasks by words, and is read with the keyboard', async () => {
    const [wanted] = await site.sql<[{ title: string; key: string; found: number }]>`
      select t.title, p.key, count(*)::integer as found
      from workgate.tasks t
      join workgate.projects p on p.id = t.project_id
      join workgate.tasks o on o.project_id = p.id and o.title || ' ' || o.description ilike '%' || t.title || '%'
      group by t.title, t.id, p.key
      order by count(*) desc, t.id
      limit 1`
    const { title, key, found } = wanted
    const page = await site.open(`#/projects/${key}/tasks`)
    await page.locator('.task-line').nth(49).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
    await checkRows(page, found)
    assert.ok(found > 2)
    const references = await textsOf(page, '.task-line .reference')
    const focused = () =>
      page
        .locator('.task-line', { has: page.locator(':focus') })
        .locator('.reference')
        .innerText()
    await page.keyboard.press('Escape')
    for (const [pressed, row] of [...'jjjk'].map((pressed, n) => [pressed, [0, 1, 2, 1][n]!] as const)) {
      await page.keyboard.press(pressed)
      assert.equal(await focused(), references[row])
    }
    await page.keyboard.press('Enter')
    await page.locator('.task-heading').getByText(references[1]!, { exact: true }).waitFor()
  })
})

test('a task shows everything that is stored about it, with names instead of ids', async () => {
  const [task] = await site.sql<
    [{ path: string; texts: string[]; comments: number; entries: number; changes: number }]
  >`
    select
      format('#/projects/%s/tasks/%s', p.key, t.number) as path,
      array[t.title, t.description, a.name, s.name, b.name]
        || array(select g.name from workgate.task_tags tt join workgate.tags g on g.id = tt.tag_id where tt.task_id = t.id)
        || array(select u.name from workgate.task_watchers w join workgate.users u on u.id = w.user_id where w.task_id = t.id)
        || array(select c.body from workgate.comments c where c.task_id = t.id)
        || array(select u.name from workgate.comments c join workgate.users u on u.id = c.author_id where c.task_id = t.id)
      as texts,
      (select count(*)::integer from workgate.comments c where c.task_id = t.id) as comments,
      (select count(*)::integer from workgate.time_entries e where e.task_id = t.id) as entries,
      (select count(*)::integer from workgate.task_history h where h.task_id = t.id) as changes
    from workgate.tasks t
    join workgate.projects p on p.id = t.project_id
    join workgate.users a on a.id = t.assignee_id
    join workgate.stages s on s.id = t.stage_id
    join workgate.boards b on b.id = t.board_id
    where t.description > ''
    order by least(
      (select count(*) from workgate.comments c where c.task_id = t.id),
      (select count(*) from workgate.time_entries e where e.task_id = t.id),
      (select count(*) from workgate.task_watchers w where w.task_id = t.id),
      (select count(*) from workgate.task_tags g where g.task_id = t.id)) desc, t.id
    limit 1`
  const page = await site.open(task.path)
  await loaded(page)
  const shown = await page.locator('main').innerText()
  for (const text of task.texts) assert.ok(shown.includes(text), `“${text}” is missing in:\n${shown}`)
  assert.ok(Math.min(task.comments, task.entries, task.changes) > 0)
  for (const [list, items] of [
    ['comments', task.comments],
    ['entries', task.entries],
    ['history', task.changes],
  ] as const)
    assert.equal(await page.locator(`.${list} > li`).count(), items, list)
  assert.doesNotMatch(shown, uuid)
})

test('a task shows its own fields, how they changed, and links to the tasks with the same values', async () => {
  const { sql } = site
  for (const [name, type] of [
    ['isBilled', 'boolean'],
    ['reviewedOn', 'date'],
    ['labels', 'list'],
    ['effort', 'number'],
    ['notes', 'text'],
  ])
    await sql`select workgate.add_field(${name!}, ${type!})`
  const [{ key, id, number, other }] = await sql<[{ key: string; id: string; number: number; other: string }]>`
    select p.key, p.id, min(t.number) as number, max(t.number) as other
    from workgate.tasks t
    join workgate.projects p on p.id = t.project_id
    group by p.id
    limit 1`
  const write = (fields: object, task: number | string = number) => sql`
    update workgate.tasks set fields = ${sql.json(fields as Record<string, string>)}
    where project_id = ${id} and number = ${task}`
  await write({ labels: ['a, b'] }, other)
  await write({ labels: ['old'], notes: 'none' })
  await write({ effort: 3, reviewedOn: '2001-03-09', labels: ['old', 'a, b'], notes: 'none' })
  await write({ effort: 0.125, isBilled: false, labels: ['a, b', 'c'], notes: 'none' })
  const page = await site.open(`#/projects/${key}/tasks/${number}`)
  await loaded(page)
  const facts = await page.locator('.facts > div').evaluateAll((all) => all.map((fact) => [...fact.children].map(({ textContent }) => textContent))) // prettier-ignore
  const own = ['Effort', 'Is billed', 'Labels', 'Notes', 'Reviewed on']
  assert.deepEqual(facts.filter(([name]) => own.includes(name!)), [
    ['Effort', '0.125'],
    ['Is billed', 'No'],
    ['Labels', 'a, b, c'],
    ['Notes', 'none'],
  ]) // prettier-ignore
  const [last, before] = await textsOf(page, '.history > li > :first-child')
  assert.match(
    last!,
    / changed Effort from 3 to 0\.125, set Is billed to No, changed Labels from old, a, b to a, b, c and removed Reviewed on$/,
  )
  assert.match(before!, / set Effort to 3, changed Labels from old to old, a, b and set Reviewed on to 9 Mar 2001$/)
  assert.equal(await page.locator('.facts a', { hasText: 'none' }).count(), 0, 'as a filter, it means no value')
  await page.locator('.facts').getByRole('link', { name: 'a, b', exact: true }).click()
  await settles(() => textsOf(page, '.chips .chip > span'), ['Labels a, b'])
  await checkRows(page, 2)
  await page.getByLabel('Order').selectOption('Oldest first')
  await settles(() => textsOf(page, '.task-line .reference'), [`${key}-${number}`, `${key}-${other}`])
  await page.getByRole('button', { name: 'Remove the filter Labels a, b' }).click()
  await settles(() => textsOf(page, '.chips .chip'), [])
})

for (const [claim, check] of claimsAboutAll) test(claim, check)
