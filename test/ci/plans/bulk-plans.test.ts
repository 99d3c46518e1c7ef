// Statements that write many rows, and the triggers that they run, do work in proportion to the rows, also in a project
// that the statistics do not know yet. Plans that are good for few rows may read all rows for each of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suiteDatabase, atEnd } from '../../support/suite-database.ts'
import { connect } from '../../support/workgate.ts'

const n = 400
const inProject = "where project_id = (select id from workgate.projects where key = 'NEW')"

const { url } = await suiteDatabase((sql) =>
  sql.unsafe(`
    insert into workgate.users (id, name) values ('00000000-0000-7000-8000-000000000001', 'Ada');
    insert into workgate.projects (key, name) select 'P' || n, n from generate_series(1, 12) n;
    insert into workgate.project_members (project_id, user_id)
      select id, '00000000-0000-7000-8000-000000000001' from workgate.projects;
    insert into workgate.tags (project_id, name) select p.id, n from workgate.projects p, generate_series(1, 3) n;
    insert into workgate.tasks (project_id, title) select p.id, n from workgate.projects p, generate_series(1, 100) n;
    insert into workgate.task_tags (project_id, task_id, tag_id)
      select t.project_id, t.id, g.id from workgate.tasks t join workgate.tags g using (project_id);
    insert into workgate.task_watchers (project_id, task_id, user_id)
      select project_id, id, '00000000-0000-7000-8000-000000000001' from workgate.tasks;
    insert into workgate.comments (project_id, task_id, body) select project_id, id, 'c' from workgate.tasks`),
)

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

const plans: { 'Query Text': string; Plan: Plan }[] = []
const sql = connect(url, {
  max: 1,
  onnotice: ({ message }) => {
    const [, json] = /plan:\s*(\{[^]*)/.exec(message ?? '') ?? []
    if (json !== undefined) plans.push(JSON.parse(json))
  },
})
atEnd(() => sql.end())
await sql.unsafe(`
  load 'auto_explain';
  set auto_explain.log_min_duration = 0;
  set auto_explain.log_nested_statements = on;
  set auto_explain.log_analyze = on;
  set auto_explain.log_timing = off;
  set auto_explain.log_format = json;
  set client_min_messages = log`)

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The rows that the node has read in all its loops. */
const readBy = (node: Plan) =>
  node['Actual Loops'] *
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0))

// prettier-ignore
const writes: [claim: string, statement: string][] = [
  ['tasks without numbers', `insert into workgate.tasks (project_id, title) select p.id, n from workgate.projects p, generate_series(1, ${n}) n where key = 'NEW'`],
  ['titles', `update workgate.tasks set title = title || '!' ${inProject}`],
  ['states', `update workgate.tasks set state = 'completed' ${inProject}`],
  ['tags', `insert into workgate.task_tags (project_id, task_id, tag_id) select t.project_id, t.id, g.id from workgate.tasks t join workgate.tags g using (project_id) ${inProject} and g.name = '1'`],
  ['names of tags', `update workgate.tags set name = name || 'x' ${inProject}`],
  ['tags that are removed', `delete from workgate.task_tags ${inProject}`],
  ['watchers', `insert into workgate.task_watchers (project_id, task_id, user_id) select project_id, id, '00000000-0000-7000-8000-000000000001' from workgate.tasks ${inProject}`],
  ['comments', `insert into workgate.comments (project_id, task_id, body) select project_id, id, 'c' from workgate.tasks ${inProject}`],
  ['files', `insert into workgate.files (project_id, comment_id, name, mime_type, size_bytes, url) select project_id, id, 'f', 'text/plain', 1, 'https://x.example/' from workgate.comments ${inProject}`],
  ['time entries', `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at) select project_id, id, '00000000-0000-7000-8000-000000000001', '2026-01-01', '2026-01-01', '2026-01-01 01:00' from workgate.tasks ${inProject}`],
  ['estimates', `update workgate.tasks set estimate_seconds = 60 ${inProject}`],
  ['tasks that are deleted', `delete from workgate.tasks ${inProject}`],
]

const newProject = `
  insert into workgate.projects (key, name) values ('NEW', 'New');
  insert into workgate.project_members (project_id, user_id)
    select id, '00000000-0000-7000-8000-000000000001' from workgate.projects where key = 'NEW';
  insert into workgate.tags (project_id, name) select p.id, n from workgate.projects p, generate_series(1, 3) n where key = 'NEW'`

// prettier-ignore
const statistics: [claim: string, statements: string[]][] = [
  ['of the other projects', ['analyze']],
  // PostgreSQL then knows that the tables are empty, and takes any plan for a good one.
  ['of empty tables', ['delete from workgate.projects', 'vacuum analyze']],
]

for (const [which, statements] of statistics) {
  test(`with the statistics ${which}`, async (t) => {
    for (const statement of [...statements, newProject]) await sql.unsafe(statement)
    for (const [claim, statement] of writes) {
      await t.test(claim, async () => {
        plans.length = 0
        await sql.unsafe(statement)
        assert.ok(plans.length > 0)
        for (const { 'Query Text': text, Plan: plan } of plans)
          for (const node of nodesOf(plan))
            assert.ok(readBy(node) < 30 * n, `${node['Node Type']} read ${readBy(node)} rows in: ${text}`)
      })
    }
  })
}
