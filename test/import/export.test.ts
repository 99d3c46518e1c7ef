// workgate export, and the import of its lines into an empty database: every list is the same, byte for byte.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { exportFile } from '../../src/commands/export.ts'
import { readConfig } from '../../src/config/config.ts'
import { insertData as insertRandomData, large } from '../oracle/oracle-data.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandContext } from '../support/doctor.ts'
import { projectLists } from '../support/lists.ts'
import { createImporter } from './importing.ts'

const source = await contractSuite({ key: { name: 'reader' } })
const target = await contractSuite({ key: { name: 'reader' } })
await insertRandomData(source.sql)
const { importPath, importText } = await createImporter(target.workgate.url)
const folder = await mkdtemp(join(tmpdir(), 'workgate-export-'))
after(() => rm(folder, { recursive: true }))

async function exported(url: string, ...args: string[]): Promise<string> {
  const path = join(folder, 'export.jsonl')
  const context = commandContext(readConfig({ DATABASE_URL: url }, () => ''))
  await exportFile({ ...context, args: [...args, path] })
  return readFile(path, 'utf8')
}

/** All pages of a list. */
async function allOf({ get }: typeof source, path: string): Promise<string> {
  const pages: string[] = []
  let cursor = ''
  for (;;) {
    const { text, body } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=200${cursor}`)
    pages.push(JSON.stringify(body.data))
    assert.ok(body.data, text)
    if (!body.meta.hasMore) return pages.join('\n')
    cursor = `&cursor=${body.meta.nextCursor as string}`
  }
}

const lines = await exported(source.workgate.url)

test('an import into an empty database creates everything', async () => {
  const { error, counts, output } = await importPath(join(folder, 'export.jsonl'))
  assert.equal(error, undefined)
  for (const [kind, outcomes] of Object.entries(counts)) assert.deepEqual(Object.keys(outcomes), ['created'], kind)
  assert.doesNotMatch(output, /Notes/)
  assert.equal(await exported(target.workgate.url), lines)
})

const includes: Record<string, string> = { tasks: '?include=tags,watchers', comments: '?include=files' }
const paths = projectLists.map(({ path }) => path.replace(':projectId', large))

for (const path of ['/projects', '/projects/summary', '/tasks?include=tags,watchers', '/time-entries', ...paths]) {
  const query = includes[path.split('/').at(-1)!] ?? ''
  test(`${path.replace(large, 'LARGE')}${query} is the same`, async () => {
    assert.equal(await allOf(target, path + query), await allOf(source, path + query))
  })
}

for (const path of ['overview', 'progress?from=2026-01-01&to=2026-11-30&interval=month']) {
  test(`analytics/${path} is the same`, async () => {
    const { body } = await target.get(`/projects/${large}/analytics/${path}`)
    assert.deepEqual(body, (await source.get(`/projects/${large}/analytics/${path}`)).body)
  })
}

test('a second import changes nothing, also in the spelling of earlier versions', async () => {
  const former = lines.replaceAll('"kind":"time_entry"', '"kind":"timeEntry"')
  assert.notEqual(former, lines)
  for (const { counts, error } of [await importText('again.jsonl', lines), await importText('former.jsonl', former)]) {
    assert.equal(error, undefined)
    assert.ok('time entries' in counts)
    for (const [kind, outcomes] of Object.entries(counts)) assert.deepEqual(Object.keys(outcomes), ['unchanged'], kind)
  }
})

test('--project exports one project, which can be imported under another key', async () => {
  const [{ key }] = (await source.sql`select key from workgate.projects where id = ${large}`) as unknown as [
    { key: string },
  ]
  const one = await exported(source.workgate.url, '--project', key.toLowerCase())
  const kinds = new Map<string, number>()
  for (const line of one.trimEnd().split('\n')) {
    const { kind } = JSON.parse(line) as { kind: string }
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  assert.equal(kinds.get('project'), 1)
  const { error, counts } = await importText('one.jsonl', one, '--project', 'COPY')
  assert.equal(error, undefined)
  assert.deepEqual(counts['tasks'], { created: kinds.get('task') })
  const tasks = (list: string) => list.replaceAll(/"(projectId|reference)":"[^"]*",/g, '')
  assert.equal(
    tasks(await allOf(target, '/projects/COPY/tasks')),
    tasks(await allOf(source, `/projects/${large}/tasks`)),
  )
})

test('the tasks alone go to the project that --project names', async () => {
  const [{ key }] = (await source.sql`select key from workgate.projects where id = ${large}`) as unknown as [
    { key: string },
  ]
  const one = await exported(source.workgate.url, '--project', key)
  const tasks = one
    .split('\n')
    .filter((line) => line.includes('"kind":"task"'))
    .slice(0, 3)
  const { error, counts } = await importText('tasks.jsonl', tasks.join('\n'), '--project', 'ALONE')
  assert.equal(error, undefined)
  assert.deepEqual([counts['projects'], counts['tasks']], [{ created: 1 }, { created: 3 }])
})

test('an unknown project is refused, and no file is written', async () => {
  await assert.rejects(
    exported(source.workgate.url, '--project', 'NONE'),
    /no project has the key NONE: "workgate projects"/,
  )
})

test('several projects cannot be imported as one', async () => {
  const { error } = await importText('all.jsonl', lines, '--project', 'ONE')
  assert.match(error!, /projectId "[^"]+": is that of another project than before: leave out --project/)
})
