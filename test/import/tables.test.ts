// Tools whose CSV is a table: they are recognized by their headings, and read like a spreadsheet.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { createImporter } from './importing.ts'

const { workgate, get } = await contractSuite()
const { importText } = await createImporter(workgate.url)

interface Expected {
  /** As the output names it. */
  format: string
  /** The fields of the tasks, by their order. */
  tasks: (string | null)[][]
  stages: string[]
}

// prettier-ignore
const files: [tool: string, lines: string[], expected: Expected][] = [
  ['Azure DevOps', [
    'ID,Work Item Type,Title,Assigned To,State,Priority,Tags,Created Date,Closed Date,Target Date,Original Estimate,Parent',
    '"4410","Epic","Robots",,"Active","2","","1/12/2026 9:15:00 AM","","","",""',
    '"4411","Task","Plan the path","Alice Chen <alice@example.org>","Closed","1","research; lab","1/12/2026 9:15:00 AM","1/14/2026 3:00:00 PM","1/20/2026 12:00:00 AM","1.5","4410"',
    '"4412","Bug","Drift",,"Removed","4","","1/13/2026 9:15:00 AM","1/14/2026 3:00:00 PM","","",""',
  ], {
    format: 'Azure DevOps work items (CSV)',
    tasks: [
      ['4410', 'Robots', 'open', 'high', null, null, null, null, '(epic)'],
      ['4411', 'Plan the path', 'completed', 'urgent', 'Alice Chen', '2026-01-20', '5400', 'Robots', 'lab research (task)'],
      ['4412', 'Drift', 'cancelled', 'low', null, null, null, null, '(bug)'],
    ],
    stages: ['Active: active', 'Closed: done', 'Removed: done'],
  }],
  ['ClickUp', [
    'Task ID,Task Name,Task Content,Status,Date Created,Date Closed,Due Date,Assignees,Tags,Priority,List Name,Parent ID,Time Estimated',
    'a1,Home,null,in progress,1768209300000,null,1769904000000,"[Ada Lovelace,Grace]","[web, new]",2,Site,null,5400000',
    'a2,Menu,Text,complete,1768209300000,1768295700000,null,[],[],null,Site,a1,null',
  ], {
    format: 'ClickUp tasks (CSV)',
    tasks: [
      ['a1', 'Home', 'open', 'high', 'Ada Lovelace', '2026-02-01', '5400', null, 'new web'],
      ['a2', 'Menu', 'completed', 'none', null, null, null, 'Home', ''],
    ],
    stages: ['in progress: active', 'complete: done'],
  }],
  ['Microsoft Planner, with lines above the headings', [
    'Plan name,Site,,,,,,,',
    'Date of export,11/20/2026,,,,,,,',
    ',,,,,,,,',
    'Task ID,Task Name,Bucket Name,Progress,Priority,Assigned To,Created Date,Due Date,Labels',
    'p1,Home,To do,In progress,Important,Ada;Grace,11/18/2026,11/30/2026,Web;New',
    'p2,Menu,Review,Completed,Low,,11/18/2026,,',
  ], {
    format: 'Microsoft Planner tasks (.xlsx, CSV)',
    tasks: [
      ['p1', 'Home', 'open', 'high', 'Ada', '2026-11-30', null, null, 'New Web'],
      ['p2', 'Menu', 'completed', 'low', null, null, null, null, ''],
    ],
    stages: ['To do: backlog', 'Review: active'],
  }],
  ['YouTrack', [
    'Issue Id,Project,Tags,Summary,Reporter,Created,Updated,Resolved,Priority,Type,State,Assignee',
    'YT-1,Site,Star,Home,Ada,2026-01-12 09:15,2026-01-12 09:15,2026-01-14 15:00,Show-stopper,Bug,Fixed,Grace',
    'YT-2,Site,,Menu,Ada,2026-01-12 09:15,2026-01-12 09:15,,Minor,Task,Submitted,Unassigned',
  ], {
    format: 'YouTrack issues (CSV)',
    tasks: [
      ['YT-1', 'Home', 'completed', 'urgent', 'Grace', null, null, null, 'Star (bug)'],
      ['YT-2', 'Menu', 'open', 'low', null, null, null, null, '(task)'],
    ],
    stages: ['Submitted: backlog', 'Fixed: done'],
  }],
  ['a database of Notion', [
    'Name,Status,Assign,Due,Prio',
    'Home,In progress,Ada,"March 5, 2026",High',
    'Menu,Done,,"March 6, 2026 3:04 PM",Low',
  ], {
    format: 'Spreadsheet of tasks (.xlsx, CSV)',
    tasks: [
      ['Home', 'Home', 'open', 'high', 'Ada', '2026-03-05', null, null, ''],
      ['Menu', 'Menu', 'completed', 'low', null, '2026-03-06', null, null, ''],
    ],
    stages: ['In progress: active', 'Done: done'],
  }],
]

describe('a file is recognized and read:', () => {
  for (const [n, [tool, lines, { format, tasks, stages }]] of files.entries())
    test(tool, async () => {
      const project = `TAB${n}`
      const { error, output } = await importText('export.csv', lines.join('\r\n'), '--project', project)
      assert.equal(error, undefined)
      assert.ok(output.startsWith(`Format: ${format}\n`), output)
      const found = (await get(`/projects/${project}/tasks?include=tags&sort=number`)).body.data
      const users = (await get(`/projects/${project}/users`)).body.data
      const nameOf = (list: Record<string, string>[], id: string, name: string) => list.find((one) => one['id'] === id)?.[name] ?? null // prettier-ignore
      assert.deepEqual(
        tasks.map(([, title]) => {
          const task = found.find((one: { title: string }) => one.title === title)
          const { externalId, state, priority, assigneeId, dueDate, estimateSeconds, parentId, tags, type } = task
          return [
            externalId,
            title,
            state,
            priority,
            nameOf(users, assigneeId, 'name'),
            dueDate,
            estimateSeconds?.toString() ?? null,
            nameOf(found, parentId, 'title'),
            [...valuesOf(tags as { name: string }[], 'name').sort(), ...(type ? [`(${type})`] : [])].join(' '),
          ]
        }),
        tasks,
      )
      const names = (await get(`/projects/${project}/stages`)).body.data
      assert.deepEqual(
        names.map(({ name, category }: Record<string, string>) => `${name}: ${category}`),
        stages,
      )
      const again = await importText('export.csv', lines.join('\n'), '--project', project)
      assert.deepEqual(Object.keys(again.counts['tasks']!), ['unchanged'])
    })
})

test('--value adds to what the values of a tool mean', async () => {
  const file = 'ID,Work Item Type,Title,State,Priority\n1,Task,One,New,1\n2,Task,Two,New,4'
  const { error } = await importText('azure.csv', file, '--project', 'ADDED', '--value', 'Priority:1=high')
  assert.equal(error, undefined)
  const tasks = (await get('/projects/ADDED/tasks?sort=number')).body.data
  assert.deepEqual(valuesOf(tasks, 'priority'), ['high', 'low'])
})

// prettier-ignore
const refused: [claim: string, file: string, error: RegExp][] = [
  ['monday.com', 'Board\nGroup\nName,Owner,Due Date\nA,Ada,\nGroup,,\nName,Owner,Due Date\nB,,', /line 6 "Name Owner Due Date": are the headings again: give each table a file of its own, as exports of monday\.com/],
  ['Basecamp',   '<html><title>Basecamp</title></html>', /^export\.csv is HTML or XML, such as an export of Basecamp;/],
  ['names',      'Name,Email\nAda,ada@example.org', /^export\.csv is CSV of no known format\./],
]

describe('what to do is said for', () => {
  for (const [claim, file, error] of refused)
    test(claim, async () => assert.match((await importText('export.csv', file, '--project', 'NOT')).error!, error))
})

test('--column counts before what the format says about a column', async () => {
  const [, [head, , row]] = files[0]!
  const args = ['--project', 'OWNCOL', '--dates', 'mdy', '--column', 'Target Date=startDate']
  const { error } = await importText('azure.csv', `${head}\n${row}`, ...args)
  assert.equal(error, undefined)
  const { startDate, dueDate } = (await get('/projects/OWNCOL/tasks')).body.data[0]
  assert.deepEqual([startDate, dueDate], ['2026-01-20', null])
})
