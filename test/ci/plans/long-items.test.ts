// A page that ends early because its items are long reads no texts of the rows after it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { comments } from '../../../src/resources/comments/list-comments.ts'
import { tasks } from '../../../src/resources/tasks/list-tasks.ts'
import { idOf, planSuite } from './plan-suite.ts'

const project = idOf('003', 1)
const task = idOf('006', 1)
const user = idOf('001', 1)

// 90,000 characters that PostgreSQL cannot compress.
const longText = `(select string_agg(md5(n || ' ' || i), '') from generate_series(1, 2812) i)`

const { pagesReadOf } = await planSuite(
  `
    insert into workgate.projects (id, key, name) values ('${project}', 'LONG', 'Long');
    insert into workgate.users (id, name, email) values ('${user}', 'U', 'u@example.org');
    insert into workgate.tasks (project_id, id, number, title, state, created_at)
    values ('${project}', '${task}', 1000, 'First', 'open', '2000-01-01');
    insert into workgate.tasks (project_id, number, title, description, state)
    select '${project}', n, 'Long', ${longText}, 'open' from generate_series(1, 60) n;
    insert into workgate.comments (project_id, task_id, author_id, body)
    select '${project}', '${task}', '${user}', ${longText} from generate_series(1, 60) n`,
  'vacuum analyze',
)

const lists: [name: string, list: ListDefinition][] = [
  ['tasks', tasks],
  ['comments', comments],
]

for (const [name, list] of lists) {
  test(`a page of long ${name} reads little more than its own texts`, async () => {
    // The longest page has five items.
    const [five, fifty] = [
      await pagesReadOf(list, { projectId: project, limit: 5 }),
      await pagesReadOf(list, { projectId: project, limit: 50 }),
    ]
    assert.ok(fifty < 2 * five, `a limit of 50 reads ${fifty} database pages, and a limit of 5 reads ${five}`)
  })
}
