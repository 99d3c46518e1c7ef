// workgate import: what arrives in the database, and what does not.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { freshDatabase } from '../support/workgate.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get, post } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const github = readFileSync('test/import/samples/github.json', 'utf8')
const tasksOf = async (project: string, query = '') =>
  (await get(`/projects/${project}/tasks?sort=number&include=tags,watchers${query}`)).body.data
const csv = (...lines: string[]) => lines.join('\n')
const count = async (table: string) => Number((await sql.unsafe(`select count(*) from workgate.${table}`))[0]!['count'])
const countRows = async () =>
  (await Promise.all(['projects', 'users', 'stages', 'tags', 'tasks', 'comments'].map(count))).join()
const recount = async () => {
  for (const { id } of await sql`select id from workgate.projects`)
    assert.deepEqual([...(await sql`select * from workgate.recount(${id as string})`)], [])
}

describe('GitHub issues', () => {
  test('become tasks with their people, tags, times and comments', async () => {
    const { counts, error } = await importText('issues.json', github, '--project', 'WEB')
    assert.equal(error, undefined)
    assert.deepEqual(counts, {
      projects: { created: 1 },
      users: { created: 3 },
      boards: { created: 1 },
      stages: { created: 2 },
      tags: { created: 3 },
      tasks: { created: 3 },
      comments: { created: 1 },
    })
    const [cancelled, completed, open] = await tasksOf('WEB')
    const users = (await get('/projects/WEB/users')).body.data
    const userOf = (name: string) => users.find((user: { name: string }) => user.name === name).id
    const [{ id: boardId }] = (await get('/projects/WEB/boards')).body.data
    const [backlog, done] = (await get('/projects/WEB/stages')).body.data
    const { id, tags, watchers, ...rest } = open
    assert.deepEqual(rest, {
      projectId: (await get('/projects/WEB')).body.data.id,
      number: 14,
      reference: 'WEB-14',
      title: 'Header overlaps the menu on phones',
      description: 'Steps:\r\n\r\n1. Open the page\r\n2. "Zoom" to 200 %',
      state: 'open',
      priority: 'none',
      boardId,
      stageId: backlog.id,
      parentId: null,
      assigneeId: userOf('grace'),
      assigneeIds: [userOf('grace'), userOf('linus')],
      creatorId: userOf('ada'),
      descriptionFormat: 'markdown',
      type: 'bug',
      startDate: null,
      dueDate: '2026-12-01',
      estimateSeconds: null,
      completedAt: null,
      cancelledAt: null,
      externalId: 'acme/website#14',
      externalUrl: 'https://github.com/acme/website/issues/14',
      fields: { milestone: '1.1' },
      createdAt: '2026-10-01T09:30:00.000Z',
      updatedAt: '2026-10-02T10:00:00.000Z',
      version: 1,
    })
    assert.deepEqual(
      tags.map((tag: { name: string; color: string }) => [tag.name, tag.color]),
      [
        ['bug', '#d73a4a'],
        ['css layout', '#c5def5'],
      ],
    )
    assert.deepEqual(watchers, [])
    assert.deepEqual([completed.state, completed.completedAt, completed.stageId], ['completed', '2026-09-20T12:00:00.000Z', done.id]) // prettier-ignore
    assert.deepEqual([cancelled.state, cancelled.cancelledAt], ['cancelled', '2026-08-02T09:00:00.000Z'])
    const [comment] = (await get('/projects/WEB/comments')).body.data
    assert.deepEqual(
      [comment.taskId, comment.authorId, comment.body, comment.createdAt],
      [id, userOf('linus'), 'I can reproduce it. 👍', '2026-10-02T10:00:00.000Z'],
    )
    const [history] = await sql`select version, channel, actor from workgate.task_history where task_id = ${id}`
    assert.deepEqual(history, { version: '1', channel: 'import', actor: { name: 'issues.json' } })
    const { body } = await get('/projects/WEB/analytics/progress?from=2026-08-01&to=2026-10-31&interval=month')
    assert.deepEqual(valuesOf(body.data.series, 'completed'), [0, 1, 0])
    await recount()
  })

  test('imported again, change nothing', async () => {
    const rows = await sql`select id, version, xmin from workgate.tasks order by id`
    const { counts, output } = await importText('issues.json', github, '--project', 'WEB')
    for (const [kind, outcomes] of Object.entries(counts)) assert.deepEqual(Object.keys(outcomes), ['unchanged'], kind)
    assert.match(output, /pull requests were left out: 1/)
    assert.match(output, /^See the project: http:\/\/127\.0\.0\.1:8080\/explorer#\/projects\/WEB$/m)
    assert.deepEqual(await sql`select id, version, xmin from workgate.tasks order by id`, rows)
  })

  test('edited in three rows, change three tasks, and keep what was changed here and is not in the file', async () => {
    await sql`update workgate.tasks set priority = 'high' where number = 14`
    const edited = github
      .replace('Header overlaps', 'Header hides')
      .replace('"Grüße in the footer"', '"Greetings in the footer"')
      .replace('"wontfix"', '"rejected"')
    const { counts, output } = await importText('issues.json', edited, '--project', 'WEB')
    assert.deepEqual(counts['tasks'], { updated: 3 })
    assert.deepEqual(counts['comments'], { unchanged: 1 })
    assert.match(output, /tasks updated: Header hides the menu on phones · Greetings in the footer · Rewrite/)
    const [cancelled, , open] = await tasksOf('WEB')
    assert.deepEqual([open.title, open.priority], ['Header hides the menu on phones', 'high'])
    assert.deepEqual(valuesOf(cancelled.tags, 'name'), ['rejected'])
    const changes = await sql`select changes from workgate.task_history where task_id = ${cancelled.id} and version = 2`
    assert.deepEqual(changes[0]!['changes'], { tags: { from: ['wontfix'], to: ['rejected'] } })
    await recount()
  })

  test('have the same ids in another database', async () => {
    const [task] = await sql`select id from workgate.tasks where number = 14`
    assert.equal(task!['id'], 'd795df9e-92a3-8b63-b8bf-9e20a1e94c8d')
  })

  test('as pages, as lines and as messages of a Singer tap are the same issues', async () => {
    const issues = JSON.parse(github) as object[]
    const lines = issues.map((issue) => JSON.stringify(issue))
    const singer = issues.map((record) => JSON.stringify({ type: 'RECORD', stream: 'issues', record }))
    const stars = JSON.stringify({
      type: 'RECORD',
      stream: 'stargazers',
      record: { starred_at: '2026-01-01T00:00:00Z' },
    })
    const state = JSON.stringify({ type: 'STATE', value: { bookmarks: { issues: 7 } } })
    await importText('issues.json', github, '--project', 'WEB')
    for (const text of [
      lines.map((line) => `[${line}]`).join('\n'),
      `[[${lines.slice(0, 2).join()}],[${lines.slice(2).join()}]]`,
      lines.join('\n'),
      ['{"type":"SCHEMA","stream":"issues","schema":{}}', ...singer, stars, state].join('\n'),
    ]) {
      const { counts, error, output } = await importText('issues.json', text, '--project', 'WEB')
      assert.equal(error, undefined)
      assert.deepEqual([counts['tasks'], counts['comments']], [{ unchanged: 3 }, { unchanged: 1 }])
      if (text.endsWith(state)) {
        assert.match(output, /records of the stream "stargazers" were left out: 1/)
        assert.equal(output.split('\n').at(-1), '{"bookmarks":{"issues":7}}')
      }
    }
  })
})

test('attachments of Jira are files of their tasks', async () => {
  const jira = readFileSync('test/import/samples/jira.csv', 'utf8')
  const load = (text: string) => importText('jira.csv', text, '--project', 'JIRA', '--timezone', 'Europe/Berlin')
  const first = await load(jira)
  assert.deepEqual([first.error, first.counts['files']], [undefined, { created: 1 }])
  const task = (await get('/projects/JIRA/tasks/12')).body.data
  const [{ id, updatedAt, ...file }, ...others] = (await get('/projects/JIRA/files?taskId=12')).body.data
  assert.deepEqual(file, {
    projectId: task.projectId,
    taskId: task.id,
    commentId: null,
    creatorId: task.creatorId,
    name: 'menu; small.png',
    mimeType: 'image/png',
    sizeBytes: null,
    sha256: null,
    url: 'https://example.atlassian.net/rest/api/3/attachment/content/501',
    createdAt: '2026-03-03T08:06:00.000Z',
  })
  assert.deepEqual(others, [])
  const second = await load(jira.replace('menu; small.png', 'menu.pdf'))
  assert.deepEqual(second.counts['files'], { updated: 1 })
  const changed = (await get(`/projects/JIRA/files/${id}`)).body.data
  assert.deepEqual([changed.name, changed.mimeType], ['menu.pdf', 'application/pdf'])
  assert.ok(changed.updatedAt > updatedAt)
})

describe('--dry-run', () => {
  test('migrates nothing', async () => {
    const { url, sql, drop } = await freshDatabase('template0')
    const { importText } = await createImporter(url)
    const { error } = await importText('issues.json', github, '--project', 'DRY', '--dry-run')
    assert.match(
      error!,
      /^the database has pending migrations \(0001-directory, .*\), and --dry-run changes nothing: run /,
    )
    assert.deepEqual([...(await sql`select from pg_namespace where nspname = 'workgate'`)], [])
    await drop()
  })

  test('prints the same summary, and writes nothing', async () => {
    const before = await countRows()
    const dry = await importText('issues.json', github, '--project', 'DRY', '--dry-run')
    assert.match(dry.output, /Nothing was written \(--dry-run\)\.$/)
    assert.equal(await countRows(), before)
    const { counts } = await importText('issues.json', github, '--project', 'DRY')
    assert.deepEqual(dry.counts, counts)
  })
})

test('time entries that were corrected are updated, and those that follow an added one shift', async () => {
  const header = 'User,Email,Project,Description,Start date,Start time,End date,End time,Duration'
  const entry = (text: string, start: string, end: string) =>
    `Ida,ida@example.org,Website,${text},2026-03-02,${start},2026-03-02,${end},0:00:00`
  const load = (...lines: string[]) => importText('toggl.csv', csv(header, ...lines), '--project', 'hours')
  const [plan, call] = [entry('Plan', '09:00:00', '10:00:00'), entry('Call', '11:00:00', '11:30:00')]
  await load(plan, call)
  const corrected = await load(entry('Plan all', '09:00:00', '10:30:00'), entry('Call', '11:15:00', '11:30:00'))
  assert.deepEqual(corrected.counts['time entries'], { updated: 2 })
  const added = await load(entry('Mail', '08:00:00', '08:10:00'), plan, call)
  assert.deepEqual(added.counts['time entries'], { created: 1, updated: 2 })
  const found = await sql`
    select e.description as title, extract(epoch from e.ended_at - e.started_at)::integer / 60 as minutes
    from workgate.time_entries e
    where e.project_id = (select id from workgate.projects where key = 'HOURS')
    order by e.started_at`
  assert.deepEqual([valuesOf(found, 'title'), valuesOf(found, 'minutes')], [['Mail', 'Plan', 'Call'], [10, 60, 30]]) // prettier-ignore
})

test('time entries go to the tasks that they name, and those that name none belong to none', async () => {
  const header = 'User,Email,Project,Task,Description,Start date,Start time,End date,End time,Duration'
  const entry = (task: string, text: string, hour: number) =>
    `Ida,ida@example.org,Website,${task},${text},2026-03-02,${hour}:00,2026-03-02,${hour}:30,0:30:00`
  await importText(
    'tasks.csv',
    csv('title,state,number', 'Plan,completed,1', 'PLAN,open,2', 'Build,open,20'),
    '--project',
    'NAMED',
  )
  const named = [entry('', 'plan', 8), entry('Plan', 'named-20: colours', 9), entry('Build', 'Header', 10)]
  const others = [entry('', 'NAMED-200 and XNAMED-20', 11), entry('', '', 12)]
  const missing = [entry('Mail', 'Ada', 13), entry('Mail', 'Ben', 14)]
  const file = csv(header, ...named, ...others, ...missing)
  const { counts, output, error } = await importText('toggl.csv', file, '--project', 'NAMED')
  assert.equal(error, undefined)
  assert.deepEqual([counts['tasks'], counts['time entries']], [undefined, { created: 5 }])
  assert.match(
    output,
    /time entries of tasks that the project does not have were left out \(--create-tasks creates these tasks\): 2/,
  )
  assert.match(output, /time entries name no task of the project, and so belong to none: 2/)
  const found = async () => (await sql`
    select coalesce(t.number::text, 'none') || ' at ' || extract(hour from e.started_at at time zone 'UTC') as at
    from workgate.time_entries e
    left join workgate.tasks t on t.project_id = e.project_id and t.id = e.task_id
    where e.project_id = (select id from workgate.projects where key = 'NAMED')
    order by e.started_at`).map((row) => row['at']) // prettier-ignore
  assert.deepEqual(await found(), ['2 at 8', '20 at 9', '20 at 10', 'none at 11', 'none at 12'])
  const all = await importText('toggl.csv', file, '--project', 'NAMED', '--create-tasks', '--add-source')
  assert.deepEqual([all.counts['tasks'], all.counts['time entries']], [{ created: 1 }, { created: 2, unchanged: 5 }])
  // Once they exist, the tasks are found without the option, also under another title.
  await sql`update workgate.tasks set title = 'Letters' where title = 'Mail'`
  const again = await importText('toggl.csv', file, '--project', 'NAMED')
  assert.deepEqual([again.counts['tasks'], again.counts['time entries']], [{ updated: 1 }, { unchanged: 7 }]) // prettier-ignore
  assert.doesNotMatch(again.output, /left out/)
  // An entry is the n-th of the day: after another one was added before it, it does not keep the task of that one.
  const shifted = csv(header, others[1]!, ...named, others[0]!, ...missing)
  await importText('toggl.csv', shifted, '--project', 'NAMED')
  assert.deepEqual((await found()).slice(0, 5), ['2 at 8', '20 at 9', '20 at 10', 'none at 11', 'none at 12'])
})

test('time entries without a start time have only their day and duration, until the report has it', async () => {
  const header = 'User,Email,Project,Description,Start date,Start time,Duration'
  const load = (start: string) =>
    importText('toggl.csv', csv(header, `Ida,ida@example.org,Website,Plan,2026-03-02,${start},0:30:00`), '--project', 'untimed', '--timezone', 'Asia/Tokyo') // prettier-ignore
  const found = async () => {
    const [row] = await sql`
      select timed, workgate.iso(started_at) as start, duration_seconds::integer as seconds, spent_on::text as day
      from workgate.time_entries where project_id = (select id from workgate.projects where key = 'UNTIMED')`
    return Object.values(row!)
  }
  assert.match((await load('')).output, /without a start time have only a day and a duration: 1/)
  assert.deepEqual(await found(), [false, '2026-03-02T00:00:00.000Z', 1_800, '2026-03-02'])
  assert.deepEqual((await load('09:00')).counts['time entries'], { updated: 1 })
  assert.deepEqual(await found(), [true, '2026-03-02T00:00:00.000Z', 1_800, '2026-03-02'])
  assert.deepEqual((await load('')).counts['time entries'], { updated: 1 })
  const id = 'd2000000-0000-4000-8000-000000000001'
  const line = (fields: object) =>
    JSON.stringify({ kind: 'time_entry', id, projectId: id, taskId: null, userId: id, spentOn: '2026-03-02', startedAt: '2026-03-02T00:00:00Z', endedAt: '2026-03-02T01:00:00Z', timed: false, ...fields }) // prettier-ignore
  for (const fields of [{ endedAt: null }, { startedAt: '2026-03-02T00:00:01Z' }, { spentOn: '2026-03-01' }]) {
    const user = JSON.stringify({ kind: 'user', id, name: 'Ida' })
    const { error } = await importText('lines.jsonl', [user, line(fields)].join('\n'), '--project', 'UNTIMED')
    assert.match(
      error!,
      /line 2, timed "false": needs an endedAt, and the start of the day spentOn in UTC as startedAt/,
    )
  }
})

// prettier-ignore
const families: [tool: string, lines: string[]][] = [
  ['Jira',    ['Summary,Issue key,Issue id,Status,Parent key', 'Child,WEB-1,1,Open,OPS-1', 'Parent,OPS-1,2,Open,']],
  ['Jira Server', ['Summary,Issue key,Issue id,Status,Parent id', 'Child,WEB-1,1,Open,2', 'Parent,OPS-1,2,Open,']],
  ['Redmine', ['#,Project,Status,Subject,Parent task', '2,Web,New,Child,#1', '1,Ops,New,Parent,']],
  ['Asana', ['Task ID,Name,Section/Column,Projects,Parent task', '2,Child,,Web,Parent', '1,Parent,,Ops,']],
  ['Redmine, with the parent before it', ['#,Project,Status,Subject,Parent task', '1,Ops,New,Parent,', '2,Web,New,Child,1']],
]

for (const [n, [tool, lines]] of families.entries()) {
  test(`a parent in another project of ${tool} is found with --project`, async () => {
    const { output } = await importText('issues.csv', csv(...lines), '--project', `FAM${n}`)
    assert.doesNotMatch(output, /parents that are not in the project/)
    const tasks = await tasksOf(`FAM${n}`)
    const [parent, child] = ['Parent', 'Child'].map((title) => tasks.find((task: { title: string }) => task.title === title)) // prettier-ignore
    assert.equal(child.parentId, parent.id)
  })
}

test('--leave-out leaves out tasks of a type, and says how many', async () => {
  const lines = [
    'Summary,Issue key,Issue id,Issue Type,Status,Parent key',
    'Child,OUT-2,2,Story,Open,OUT-1',
    'All,OUT-1,1,Epic,Open,',
    'More,OUT-3,3,Epic,Open,',
  ]
  const { counts, output } = await importText('jira.csv', csv(...lines), '--project', 'OUT', '--leave-out', 'epic')
  assert.deepEqual(counts['tasks'], { created: 1 })
  assert.match(output, /^ {2}tasks of the type "Epic" were left out: 2$/m)
  assert.match(output, /^ {2}parents that are not in the project were left out: 1$/m)
})

test('a board of Trello that was renamed is the same', async () => {
  const board = readFileSync('test/import/samples/trello.json', 'utf8')
  const { name } = JSON.parse(board) as { name: string }
  await importText('trello.json', board, '--project', 'BOARD')
  const renamed = board.replaceAll(JSON.stringify(name), '"Another name"')
  assert.notEqual(renamed, board)
  const { counts } = await importText('trello.json', renamed, '--project', 'BOARD')
  for (const [kind, outcomes] of Object.entries(counts)) assert.deepEqual(Object.keys(outcomes), ['unchanged'], kind)
})

describe('a row that cannot be imported', () => {
  const rows = csv('title,dueDate,estimateSeconds', 'One,2026-12-01,60', 'Two,tomorrow,60', ',2026-12-01,60', 'Four,2026-12-01,much') // prettier-ignore

  test('is named with its line, column and value, and nothing is written', async () => {
    const { error, output } = await importText('tasks.csv', rows, '--project', 'BAD')
    assert.equal(
      error,
      csv(
        'tasks.csv: 3 rows cannot be imported, so nothing was written:',
        '  line 3, dueDate "tomorrow": must be a date',
        '  line 4, title: is missing',
        '  line 5, estimateSeconds "much": must be a number such as 1500 or 1.5',
        'Correct them, or import the other rows with --skip-invalid.',
      ),
    )
    assert.equal(output, '')
    assert.equal(await count("projects where key = 'BAD'"), 0)
  })

  test('is skipped and listed with --skip-invalid', async () => {
    const { error, output, counts } = await importText('tasks.csv', rows, '--project', 'BAD', '--skip-invalid')
    assert.equal(error, '3 rows of tasks.csv were skipped')
    assert.match(output, /Skipped:\n {2}line 3, dueDate "tomorrow": must be a date\n/)
    assert.deepEqual(counts['tasks'], { created: 1 })
  })
})

// prettier-ignore
const conflicts: [claim: string, lines: string[], error: RegExp | undefined, note: RegExp | undefined, check: string, expected: unknown[]][] = [
  ['an externalId that a task has which was created here', ['title,externalId', 'New,taken'], /line 2, externalId "taken": belongs to task CON-1, which did not come from this source/, undefined, 'title', ['By hand', 'Other']],
  ['a number that another task has', ['title,externalId,number', 'Second,n-1,1', 'Tenth,n-2,10', 'Also,n-3,10'], undefined, /tasks got another number, because theirs is in use: 2/, "number || ' ' || title", ['1 By hand', '2 Other', '10 Tenth', '11 Second', '12 Also']],
  ['a parent that is not there', ['title,externalId,parent', 'Child,p-1,p-2', 'Alone,p-3,p-4', 'Parent,p-2,'], undefined, /parents that are not in the project were left out: 1/, "title || coalesce((select ' of ' || p.title from workgate.tasks p where p.id = t.parent_id), '')", ['Alone', 'By hand', 'Child of Parent', 'Other', 'Parent']],
  ['a start after the due date', ['title,externalId,startDate,dueDate', 'Late,d-1,2026-02-02,2026-02-01'], undefined, /start dates after the due date were left out: 1/, "title || ' ' || coalesce(start_date::text, '') || ' ' || coalesce(due_date::text, '')", ['By hand  ', 'Late  2026-02-01', 'Other  ']],
  ['a title of 501 characters', ['title,externalId,description', `${'é'.repeat(501)},t-1,Text`], undefined, /titles of more than 500 characters were cut \(the whole title begins the description\): 1/, "length(title) || ' ' || coalesce(length(description), 0)", ['5 0', '500 507', '7 0']],
  ['parents that form a cycle', ['title,externalId,parent', 'One,c-1,c-3', 'Two,c-2,c-1', 'Three,c-3,c-2', 'Four,c-4,c-5', 'Five,c-5,'], undefined, /parents that form a cycle were left out: 3/, "title || coalesce((select ' of ' || p.title from workgate.tasks p where p.id = t.parent_id), '')", ['By hand', 'Five', 'Four of Five', 'One', 'Other', 'Three', 'Two']],
  ['two rows with the same externalId', ['title,externalId', 'First,s-1', 'Last,s-1'], /line 3, externalId "s-1": is also that of an earlier row/, undefined, 'title', ['By hand', 'Other']],
]

describe('the project already has tasks, and the file has', () => {
  for (const [n, [claim, lines, error, note, check, expected]] of conflicts.entries()) {
    test(claim, async () => {
      const key = `CON${n}`
      await sql`insert into workgate.projects (key, name) values (${key}, 'x')`
      await post(`/projects/${key}/tasks`, { title: 'By hand', externalId: 'taken' })
      await post(`/projects/${key}/tasks`, { title: 'Other' })
      const result = await importText('tasks.csv', csv(...lines), '--project', key)
      if (error) assert.match(result.error!.replaceAll(key, 'CON'), error)
      else assert.equal(result.error, undefined)
      if (note) assert.match(result.output, note)
      const found = await sql.unsafe(`
        select ${check} as found
        from workgate.tasks t
        where project_id = (select id from workgate.projects where key = '${key}')
        order by ${check.startsWith('number') ? 'number' : `(${check}) collate "C"`}`)
      assert.deepEqual(valuesOf(found, 'found'), expected)
      const again = await importText('tasks.csv', csv(...lines), '--project', key)
      if (!error) assert.deepEqual(Object.keys(again.counts['tasks']!), ['unchanged'])
    })
  }
})

test('projects of a file that become one with --project give it no name', async () => {
  const lines = ['title,project', 'One,AAA', 'Two,AAA', 'Three,BBB']
  await importText('tasks.csv', csv(...lines), '--project', 'MANY')
  await importText('tasks.csv', csv(...lines.slice(0, 3)), '--project', 'SAME')
  const names = await sql`select name from workgate.projects where key in ('MANY', 'SAME') order by key`
  assert.deepEqual(valuesOf(names, 'name'), ['MANY', 'AAA'])
})

describe('stages', () => {
  test('of a CSV file are those of the first board with the same name, or new ones at its end', async () => {
    await post('/projects', { name: 'Stages', key: 'STG' })
    const lines = [
      'title,stage,stageCategory,state',
      'One,in progress,,',
      'Two,Review,active,',
      'Three,DONE,done,completed',
      'Four,,,',
    ]
    const { counts } = await importText('tasks.csv', csv(...lines), '--project', 'STG')
    assert.deepEqual([counts['boards'], counts['stages']], [{ unchanged: 1 }, { created: 1, unchanged: 2 }])
    const stages = (await get('/projects/STG/stages')).body.data
    assert.deepEqual(valuesOf(stages, 'name'), ['To do', 'In progress', 'Done', 'Review'])
    assert.deepEqual(valuesOf(stages, 'taskCount'), [1, 1, 1, 1])
  })
})

describe('options', () => {
  test('--column maps a column, --ignore silences one, and the others are listed', async () => {
    const lines = csv('title,Points,Wave,Color', 'One,"1,5",4,red')
    const { output } = await importText('tasks.csv', lines, '--project', 'OPT', '--column', 'points=estimateSeconds:3600', '--ignore', 'color') // prettier-ignore
    assert.match(output, /Columns that were not imported \(see --column and --ignore\):\n {2}Wave\n/)
    assert.equal((await tasksOf('OPT'))[0].estimateSeconds, 5_400)
  })

  test('--column changes the task of the row, and not the children that the row repeats', async () => {
    const jira = [
      'Summary,Issue key,Issue id,Status,Parent id,Team',
      'Child,APP-2,2,Open,1,design',
      'Parent,APP-1,1,Open,,sales',
    ]
    await importText('jira.csv', csv(...jira), '--project', 'COL', '--column', 'Team=tags')
    const asana = ['Task ID,Name,Section/Column,Parent task,Team', '12,Child,,Parent,design', '11,Parent,,,sales']
    await importText('asana.csv', csv(...asana), '--project', 'COL', '--column', 'Team=tags', '--add-source')
    const tasks = await tasksOf('COL')
    assert.deepEqual(
      tasks.map((task: { title: string; parentId: string | null; tags: object[] }) => [
        task.title,
        task.parentId !== null,
        ...valuesOf(task.tags as { name: string }[], 'name'),
      ]),
      [
        ['Parent', false, 'sales'],
        ['Child', true, 'design'],
        ['Child', true, 'design'],
        ['Parent', false, 'sales'],
      ],
    )
  })

  test('--dates and --timezone say what a time means', async () => {
    const lines = csv('title,createdAt,dueDate', 'One,03/04/2026 1:30 PM,03/04/2026')
    await importText('tasks.csv', lines, '--project', 'TIM', '--dates', 'dmy', '--timezone', 'Europe/Berlin')
    const [task] = await tasksOf('TIM')
    assert.deepEqual([task.createdAt, task.dueDate], ['2026-04-03T11:30:00.000Z', '2026-04-03'])
  })

  test('an archived project is brought up to date, and named', async () => {
    await importText('tasks.csv', csv('title', 'One'), '--project', 'ARC')
    await sql`update workgate.projects set status = 'archived' where key = 'ARC'`
    const { output } = await importText('tasks.csv', csv('title', 'One', 'Two'), '--project', 'ARC')
    assert.match(output, /projects are archived, and were brought up to date nevertheless \(ARC\): 1/)
  })

  test('a folder is not a file', async () => {
    const { importPath } = await createImporter(workgate.url)
    assert.equal((await importPath('test', '--project', 'OPT')).error, 'cannot read test: it is a folder')
  })

  test('--formats lists the formats', async () => {
    const { importPath } = await createImporter(workgate.url)
    assert.match((await importPath('--formats')).output, /github +GitHub issues and comments \(JSON\)/)
  })
})
