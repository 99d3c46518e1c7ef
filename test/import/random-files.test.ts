// Random files of tasks, edited in the file, through the API and in SQL, and imported again and again: the tasks are those
// of the file, the counts are those of a comparison, and what did not change was not written.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { contractSuite } from '../support/contract-suite.ts'
import { rounds } from '../support/environment.ts'
import { chooser } from '../support/random.ts'
import { valuesOf } from '../support/values.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get, post } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const fields = ['externalId', 'title', 'description', 'state', 'priority', 'dueDate', 'estimateSeconds', 'parent', 'assignee', 'watchers', 'tags'] as const // prettier-ignore
type Row = Record<(typeof fields)[number], string>
type FoundRow = Row & { id: string; xmin: string }

const values = {
  title: ['Plan', 'Größe, "neu"; 日本', "=1+1 'x'", 'Review 👍', 'a\nb'],
  description: ['', 'Steps:\n\n1. "Open"\n2. Close;', 'x', 'tab\there', 'שלום, עולם'],
  state: ['open', 'completed', 'cancelled'],
  priority: ['none', 'low', 'high', 'urgent'],
  dueDate: ['', '2026-01-31', '2026-12-01'],
  estimateSeconds: ['', '0', '3600'],
  assignee: ['', 'ada', 'grace@example.org'],
  watchers: ['', 'ada', 'ada;grace@example.org', 'Linus'],
  tags: ['', 'bug', 'bug;css layout', 'Wichtig'],
}

// prettier-ignore
const changesHere: ((project: string, id: string, choose: ReturnType<typeof chooser>) => Promise<unknown>)[] = [
  (project, id) => post(`/projects/${project}/tasks/${id}/complete`, {}),
  (_, id, choose) => sql`update workgate.tasks set title = ${choose.pick(values.title)} where id = ${id}`,
  (_, id, choose) => sql`update workgate.tasks set priority = ${choose.pick(values.priority)}::text::workgate.priority where id = ${id}`,
  (_, id) => sql`delete from workgate.task_tags where task_id = ${id}`,
  (_, id) => sql`update workgate.tasks set parent_id = null, assignee_id = null where id = ${id}`,
  (_, id) => sql`
    with detached as (update workgate.tasks set parent_id = null where parent_id = ${id})
    delete from workgate.tasks t where id = ${id} and not exists (select from workgate.tasks c where c.parent_id = t.id)`,
  (project, id) => post(`/projects/${project}/tasks`, { title: `By hand, for ${id}` }),
]

const shown = (project: string) => sql<FoundRow[]>`
  select
    t.id, t.xmin::text, t.external_id as "externalId", t.title, coalesce(t.description, '') as description,
    t.state, t.priority::text, coalesce(t.due_date::text, '') as "dueDate",
    coalesce(t.estimate_seconds::text, '') as "estimateSeconds", coalesce(p.external_id, '') as parent,
    coalesce(a.email, a.name, '') as assignee,
    coalesce((
      select string_agg(coalesce(u.email, u.name), ';' order by coalesce(u.email, u.name) collate "C")
      from workgate.task_watchers w join workgate.users u on u.id = w.user_id
      where w.project_id = t.project_id and w.task_id = t.id), '') as watchers,
    coalesce((
      select string_agg(g.name, ';' order by g.name collate "C")
      from workgate.task_tags tt join workgate.tags g on g.project_id = tt.project_id and g.id = tt.tag_id
      where tt.project_id = t.project_id and tt.task_id = t.id), '') as tags
  from workgate.tasks t
  left join workgate.tasks p on p.project_id = t.project_id and p.id = t.parent_id
  left join workgate.users a on a.id = t.assignee_id
  where t.project_id = (select id from workgate.projects where key = ${project})
  order by t.id`

const tasksOf = async (project: string) => new Map((await shown(project)).map((row) => [row.externalId ?? row.id, row]))
const fieldsOf = (row: Row) => fields.map((field) => row[field])

function fileOf(rows: Row[], choose: ReturnType<typeof chooser>): Uint8Array {
  const separator = choose.pick([',', ';', '\t'])
  const cell = (text: string) => (/[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [fields, ...rows.map((row) => fieldsOf(row).map(cell))]
  const text = lines.map((line) => line.join(separator)).join(choose.pick(['\n', '\r\n']))
  return choose.chance(0.3) ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
}

/** Makes rows of a file. A parent comes before its children, so that there is no cycle. */
function rowMaker(choose: ReturnType<typeof chooser>) {
  let made = 0
  return (): Row => {
    const n = made++
    const chosen = Object.entries(values).map(([name, list]) => [name, choose.pick(list)])
    const parent = choose.chance(0.3) ? `x-${choose.below(n + 1)}` : ''
    return { ...(Object.fromEntries(chosen) as Row), externalId: `x-${n}`, parent }
  }
}

const isOfFile = (id: string) => id.startsWith('x-')

/** The tasks after an import, by their externalId. */
function expectTasks(before: ReadonlyMap<string, Row>, rows: readonly Row[], isFull: boolean): Map<string, Row> {
  const kept = [...before].filter(([id]) => !isFull || !isOfFile(id))
  const after = new Map([...kept, ...rows.map((row) => [row.externalId, row] as const)])
  const isParent = (id: string, child: string) => id !== child && after.has(id)
  return new Map([...after].map(([id, row]) => [id, { ...row, parent: isParent(row.parent, id) ? row.parent : '' }]))
}

async function check(seed: number): Promise<void> {
  const choose = chooser(seed)
  const project = `R${seed}`
  const makeRow = rowMaker(choose)
  let rows = choose.times(20, makeRow)
  for (let step = 0; step < 8; step++) {
    const isFull = choose.chance(0.3)
    const before = await tasksOf(project)
    const expected = expectTasks(before, rows, isFull)
    const outcomes = rows.map(({ externalId: id }) => {
      if (!before.has(id)) return 'created'
      return isDeepStrictEqual(fieldsOf(before.get(id)!), fieldsOf(expected.get(id)!)) ? 'unchanged' : 'updated'
    })
    const missing = [...before.keys()].filter((id) => isOfFile(id) && !expected.has(id))
    const counts: Record<string, number> = {}
    for (const outcome of [...outcomes, ...missing.map(() => 'deleted')]) counts[outcome] = (counts[outcome] ?? 0) + 1

    const options = isFull ? ['--full', '--delete-up-to', '100%'] : []
    const result = await importText('tasks.csv', fileOf(rows, choose), '--project', project, ...options)
    assert.equal(result.error, undefined)
    assert.deepEqual(result.counts['tasks'], counts)
    const found = await tasksOf(project)
    assert.deepEqual([...found.values()].map(fieldsOf).sort(), [...expected.values()].map(fieldsOf).sort())
    for (const [n, { externalId: id }] of rows.entries())
      if (outcomes[n] === 'unchanged') assert.equal(found.get(id)!.xmin, before.get(id)!.xmin)
    for (const { id } of await sql`select id from workgate.projects where key = ${project}`)
      assert.deepEqual([...(await sql`select * from workgate.recount(${id as string})`)], [])

    for (const row of choose.some([...found.values()], 5)) await choose.pick(changesHere)(project, row.id, choose)
    rows = rows.filter(() => choose.chance(0.9))
    for (const row of choose.some(rows, 5)) {
      const edits = { ...makeRow(), externalId: row.externalId, parent: row.parent }
      Object.assign(row, choose.pick([edits, { title: edits.title }, { state: edits.state }, { tags: edits.tags }]))
    }
    rows.push(...choose.times(choose.below(4), makeRow))
  }
}

describe('random files', () => {
  for (let seed = 1; seed <= rounds(2, 40); seed++) test(`and edits, seed ${seed}`, () => check(seed))
})

test('a reader sees the state before an import or after it', async () => {
  const lines = Array.from({ length: 90 }, (_, n) => n)
  const file = (generation: string) =>
    `title,externalId,tags\n${lines.map((n) => `${generation} ${n},g-${n},${generation}`).join('\n')}`
  await importText('tasks.csv', file('g0'), '--project', 'GEN')
  const seen = new Set<string>()
  let isOver = false
  async function readOn() {
    while (!isOver) {
      const { body } = await get('/projects/GEN/tasks?limit=100&include=tags')
      const generations = new Set(body.data.map(({ title, tags }: { title: string; tags: { name: string }[] }) => `${title.split(' ')[0]} ${valuesOf(tags, 'name').join()}`)) // prettier-ignore
      assert.equal(generations.size, 1)
      for (const generation of generations) seen.add(generation as string)
    }
  }
  async function importAll() {
    for (let n = 1; n <= 5; n++) {
      const { counts } = await importText('tasks.csv', file(`g${n}`), '--project', 'GEN')
      assert.deepEqual(counts['tasks'], { updated: 90 })
    }
    isOver = true
  }
  await Promise.all([readOn(), importAll().finally(() => (isOver = true))])
  assert.ok(seen.size > 1, 'the reader was too slow to see more than one state')
})
