// The JSON of a task is written field by field. It must be the same text that row_to_json writes, whatever is stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { include } from '../../src/db/statements/template.ts'
import { insertData, web } from '../support/data.ts'
import { chooser } from '../support/random.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { taskJson } from '../../src/resources/tasks/task-json.ts'

const { sql } = await suiteDatabase(insertData)

const fields = `
  t.id, t.project_id as "projectId", t.number,
  (select key from workgate.projects where id = t.project_id) || '-' || t.number as reference,
  t.title, t.description, t.state, t.priority, t.board_id as "boardId", t.stage_id as "stageId", t.parent_id as "parentId",
  t.assignee_id as "assigneeId", workgate.assignees_of(t.assignee_id, t.assignee_ids) as "assigneeIds", t.creator_id as "creatorId", t.description_format as "descriptionFormat", t.type, t.start_date as "startDate", t.due_date as "dueDate",
  t.estimate_seconds as "estimateSeconds", t.external_url as "externalUrl", coalesce(t.fields, '{}') as fields, workgate.iso(t.completed_at) as "completedAt",
  workgate.iso(t.cancelled_at) as "cancelledAt", t.external_id as "externalId",
  workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt", t.version`

const hostile = ['"', '\\', '\\"', "'", '\n\r\t\b\f', '\u0001\u001f\u007f', '\u2028\u2029', '</script>', '{}', 'null', '%', '😀', '日本', 'e\u0301', '$1', ':id', '{{title}}'] // prettier-ignore

test('the JSON of a task is what row_to_json writes, with every field set or not, and with hostile texts', async () => {
  const { maybe, pick, some, times, below } = chooser(46)
  const text = () => `x${times(1 + below(4), () => pick(hostile)).join('')}`
  const day = () => pick(['0001-01-01', '1999-12-31', '2026-11-26', '9999-12-31'])
  const states = [
    { state: 'open' },
    { state: 'completed', completed_at: '9999-12-31T23:59:59.999Z' },
    { state: 'cancelled', cancelled_at: '0001-01-01T00:00:00Z' },
  ]
  const [stage] = await sql`select id, board_id from workgate.stages where project_id = ${web} limit 1`
  const rows = times(200, (n) => ({
    project_id: web,
    title: text(),
    description: maybe(0.5, text),
    completed_at: null,
    cancelled_at: null,
    ...pick(states),
    priority: pick(['none', 'low', 'medium', 'high', 'urgent']),
    ...(below(2) ? { board_id: stage!['board_id'], stage_id: stage!['id'] } : { board_id: null, stage_id: null }),
    parent_id: maybe(0.5, () => '00000000-0000-7000-8006-000000000001'),
    assignee_ids: maybe(0.5, () =>
      some(
        ['1', '2', '3'].map((n) => `00000000-0000-7000-8001-00000000000${n}`),
        3,
      ),
    ),
    creator_id: maybe(0.5, () => '00000000-0000-7000-8001-000000000002'),
    description_format: maybe(0.5, () => pick(['text', 'markdown', 'html', 'jira'])),
    type: maybe(0.5, () => text().replaceAll(/[A-Z,]/g, '')),
    start_date: maybe(0.5, () => '0001-01-01'),
    due_date: maybe(0.5, day),
    estimate_seconds: maybe(0.5, () => pick([0, 1, 2_147_483_647])),
    external_id: maybe(0.5, () => `${n}${text().replaceAll(',', '')}`),
    fields: maybe(0.5, () => ({ points: pick([0, -0.5, 1_000_000_000]), sprints: [text(), text()], customer: text() })),
    external_url: maybe(0.5, () => `https://example.com/${encodeURIComponent(text())}"`),
    created_at: `${day()}T00:00:00.001Z`,
  }))
  await sql`select workgate.add_field('points', 'number'), workgate.add_field('sprints', 'list'), workgate.add_field('customer', 'text')`
  await sql`insert into workgate.tasks ${sql(rows)}`
  const written = include(taskJson, { project: 't.project_id' })
  const found = await sql.unsafe<{ written: string; expected: string }[]>(`
    select ${written} || '}' as written, (select row_to_json(f)::text from (select ${fields}) f) as expected
    from workgate.tasks t`)
  assert.ok(found.length >= rows.length)
  for (const { written, expected } of found) assert.equal(written, expected)
})
