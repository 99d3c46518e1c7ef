// Runs the examples of the guides as printed, in every language: npm test -- test/ci/guide-examples.test.ts

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { guides } from '../../src/docs/guides.ts'
import { programIn, readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { readLists } from '../support/lists-copy.ts'
import { checkRetry, retryCases } from '../support/retries.ts'
import { api, command, connect, freshDatabase, issueKey, startArtifact } from '../support/workgate.ts'

const run = promisify(execFile)
const textOf = (slug: string) => readFile(`src/docs/guides/${slug}.md`, 'utf8')
const languages = ['sh', 'js', 'python'] as const
type Language = (typeof languages)[number]

const folder = await mkdtemp(join(tmpdir(), 'workgate-examples-'))
const { url, sql, drop } = await freshDatabase()
await command(['demo', '--projects', '3', '--tasks', '60'], { DATABASE_URL: url })
const service = await startArtifact({ DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '0' })
const origin = service.url
const key = await issueKey(sql, 'reader')
after(async () => {
  await service.close()
  await drop()
  await rm(folder, { recursive: true })
})

/** Every guide continues the quick start, whose first commands start the service. */
async function runExamples(slug: string, language: Language): Promise<string> {
  const quickStart = await textOf('quick-start')
  const start = language === 'sh' ? quickStart.slice(quickStart.indexOf('## First request')) : quickStart
  const markdown = `${start}\n${await textOf(slug)}`
  const blocks = readCodeBlocks(markdown).filter((block) => block.language === language)
  // The output of a command need not end with a newline.
  const program = language === 'sh' ? blocks.map(({ code }) => code).join('\necho\n') : programIn(markdown, language)
  return runProgram(language, program.replaceAll('http://127.0.0.1:8080', origin), { key, api: origin + api })
}

const endings = { sh: 'sh', js: 'mjs', python: 'py' }
const interpreters = { sh: ['bash', '-eu'], js: [process.execPath], python: ['python3'] }

async function runProgram(language: Language, program: string, variables: Record<string, string> = {}) {
  const file = join(folder, `${crypto.randomUUID()}.${endings[language]}`)
  await writeFile(file, program)
  const [interpreter, ...options] = interpreters[language] as [string, ...string[]]
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], WORKGATE_KEY: variables['key'], ...variables }
  const { stdout } = await run(interpreter, [...options, file], { cwd: folder, env, maxBuffer: 1e8 })
  return stdout
}

/** The output that shows that the examples work. */
// prettier-ignore
const expected: Record<string, Record<Language, RegExp[]>> = {
  pagination: {
    sh:     [/"hasMore":true/, /"hasMore":false/],
    js:     [/limit: 50, nextCursor: null/],
    python: [/'limit': 50, 'nextCursor': None/],
  },
  changes: {
    sh:     [/"kind":"project","op":"upsert"/, /^HTTP\/1\.1 304 Not Modified\r$/m],
    js:     [],
    python: [],
  },
  idempotency: {
    sh:     [/^HTTP\/1\.1 201 Created\r$/m, /^idempotency-replayed: true\r$/m, /"state":"completed"/],
    js:     [/^201 true true\ncompleted$/m],
    python: [/^201 true True\ncompleted$/m],
  },
  verification: {
    sh:     [/"digest":"sha256:[0-9a-f]{64}"/, /"verified":true/],
    js:     [/^2 sha256:[0-9a-f]{64} \{/m, /^completed through api$/m],
    python: [/^2 sha256:[0-9a-f]{64} \{/m, /^completed through api$/m],
  },
  'prove-work': {
    sh:     [/"verified":true/, /^20 of 20 tasks$/m],
    js:     [/^documentPath: by Evening shift through print shop$/m, /^20 of 20 tasks$/m],
    python: [/^documentPath: by Evening shift through print shop$/m, /^20 of 20 tasks$/m],
  },
  errors: {
    sh:     [/"code":"VALIDATION_FAILED"/, /"meta":\{"limit":1,/],
    js:     [/^stauts is unknown; did you mean status\?\nlimit must be/m],
    python: [/^stauts is unknown; did you mean status\?\nlimit must be/m],
  },
}

test('all guides with examples in several languages are tested', async () => {
  const found: string[] = []
  for (const { slug, article } of guides) if (article.includes('<div class="example">')) found.push(slug)
  // The quick start has its own test, in a clean clone.
  assert.deepEqual(found, ['quick-start', ...Object.keys(expected)])
})

/** Runs the transactions of a guide, which change rows that its examples wait for, until they have ended. */
async function runTransactions(slug: string, hasEnded: () => boolean): Promise<void> {
  const blocks = readCodeBlocks(await textOf(slug)).filter(({ language }) => language === 'sql')
  const writer = connect(url, { max: 1 })
  const [first] = await sql`select key from workgate.projects order by lower(name) collate "C" limit 1`
  while (!hasEnded()) {
    for (const { code } of blocks) await writer.unsafe(code.replace("'SUP'", `'${first!['key']}'`))
    await sleep(200)
  }
  await writer.end()
}

for (const [slug, outputs] of Object.entries(expected)) {
  for (const language of languages) {
    test(`the examples of ${slug} work in ${language}`, async () => {
      let hasEnded = false
      const running = runExamples(slug, language).finally(() => (hasEnded = true))
      if (slug === 'prove-work') await runTransactions(slug, () => hasEnded)
      const output = await running
      await sql`delete from workgate.documents where path = 'orders/4712.md'`
      await sql`delete from workgate.tasks where external_id = 'order-4712'`
      for (const pattern of outputs[language]) assert.match(output, pattern)
    })
  }
}

describe('the retry sample in Python', () => {
  for (const retryCase of retryCases) {
    test(retryCase.claim, async () => {
      const blocks = readCodeBlocks(await textOf('errors'))
      const { code } = blocks.find(({ code }) => code.includes('def send('))!
      const imports = 'import json, urllib.error, urllib.request\n'
      await checkRetry(retryCase, async (url, method, headers) => {
        const call = `print(json.dumps(send('${url}', ${JSON.stringify(headers)}, '${method}')))`
        return JSON.parse(await runProgram('python', `${imports}${code}\n${call}\n`)) as unknown
      })
    })
  }
})

describe('the retry sample of curl', () => {
  for (const retryCase of retryCases.filter(({ first, method }) => method === 'GET' && first !== 'nothing')) {
    test(retryCase.claim, async () => {
      const { code } = readCodeBlocks(await textOf('errors')).find(({ code }) => code.includes('--retry 4'))!
      await checkRetry(retryCase, async (url) => {
        return JSON.parse(await runProgram('sh', code, { key: 'none', api: url })) as unknown
      })
    })
  }
})

describe('the client of Keep a copy', { concurrency: false }, () => {
  const read = async (path: string) =>
    (await fetch(`${origin}${api}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()

  for (const language of ['js', 'python'] as const) {
    test(`keeps an exact copy in ${language}, with deletions, and begins again after its cursor has expired`, async () => {
      await rm(join(folder, 'copy.json'), { force: true })
      const [project] = await sql`select id from workgate.projects where key = 'APP'`
      const inProject = sql`project_id = ${project!['id']}`
      const isExact = async () => {
        await runExamples('changes', language)
        const { objects } = JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8')) as { objects: object }
        const copy = new Map(Object.entries(objects).map(([name, object]) => [name, JSON.stringify(object)]))
        assert.deepEqual(copy, await readLists(read, project!['id']))
      }
      await isExact()
      await sql`delete from workgate.comments where ${inProject} and id in (select id from workgate.comments where ${inProject} limit 5)`
      await sql`delete from workgate.time_entries where ${inProject}`
      await sql`update workgate.users set name = name || '!'`
      await sql`update workgate.tasks set title = title || '!' where ${inProject} and number % 2 = 0`
      await sql`insert into workgate.tasks (project_id, title, created_at, updated_at) values (${project!['id']}, 'Old', '2020-01-01', '2020-01-01')`
      await isExact()
      await sql`select workgate.touch()`
      await isExact()
    })
  }
})

describe('the examples of loading a warehouse', { concurrency: false }, () => {
  const blockOf = async (file: string) =>
    readCodeBlocks(await textOf('changes')).find((block) => block.file === file)!.code
  const churn = async (n: number) => {
    const [project] = await sql`select id from workgate.projects where key = 'WEB'`
    const inProject = sql`project_id = ${project!['id']}`
    await sql`delete from workgate.comments where ${inProject} and id in (select id from workgate.comments where ${inProject} limit 5)`
    await sql`delete from workgate.tasks where ${inProject} and number % 7 = ${n} and id not in (select parent_id from workgate.tasks where parent_id is not null)`
    await sql`update workgate.users set name = name || '!'`
    await sql`update workgate.tasks set title = title || '!' where number % 5 = ${n}`
    await sql`insert into workgate.tasks (project_id, title, updated_at) values (${project!['id']}, 'Old', '2020-01-01')`
    await sql`delete from workgate.projects where name = 'To be deleted'`
    const [other] =
      await sql`insert into workgate.projects (key, name) values (${`DEL${n}`}, 'To be deleted') returning id`
    await sql`insert into workgate.tasks (project_id, title) values (${other!['id']}, 'x')`
  }

  test('by SQL, the copy equals the tables', async () => {
    const loader = connect(url, { max: 1 })
    const isExact = async () => {
      const differences = await sql`
        (table workgate.tasks except table warehouse.tasks) union all (table warehouse.tasks except table workgate.tasks)`
      assert.equal(differences.length, 0)
    }
    await churn(1)
    await loader.unsafe(await blockOf('first-load.sql'))
    await isExact()
    await churn(2)
    await assert.rejects(isExact)
    await loader.unsafe(await blockOf('load.sql'))
    await isExact()
    await loader.end()
  })

  test('the role of the loader can read changes and tables', async () => {
    const undo = new Error('undo')
    const attempt = sql.begin(async (sql) => {
      const [row] = await sql`select workgate.changes_cursor() as cursor`
      await sql.unsafe(await blockOf('role.sql'))
      await sql`update workgate.tasks set title = title || '!'`
      await sql`set local role warehouse`
      await sql`select from workgate.changes_since(${row!['cursor']})`
      await sql`select from workgate.tasks limit 1`
      await assert.rejects(sql.savepoint((sql) => sql`select from workgate.api_keys`), { code: '42501' }) // prettier-ignore
      throw undo
    })
    await assert.rejects(attempt, undo)
  })

  test('with dlt, each run loads only changes, and the copy equals the lists, also after the cursor has expired', async () => {
    const bin = join(folder, 'dlt', 'bin')
    await run('python3', ['-m', 'venv', join(folder, 'dlt')])
    await run(join(bin, 'pip'), ['install', '-q', 'dlt[duckdb]==1.31.0', 'duckdb==2.0.1'])
    const file = join(folder, 'load.py')
    await writeFile(file, (await blockOf('load.py')).replaceAll('http://127.0.0.1:8080', origin))
    const env = {
      PATH: bin,
      WORKGATE_KEY: key,
      DLT_DATA_DIR: join(folder, 'dlt-data'),
      RUNTIME__DLTHUB_TELEMETRY: 'false',
    }
    const python = async (...args: string[]) => (await run(join(bin, 'python'), args, { cwd: folder, env, maxBuffer: 1e8 })).stdout // prettier-ignore
    const read = async (path: string) =>
      (await fetch(`${origin}${api}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
    /** Loads, compares, and returns the number of the last change. */
    const load = async () => {
      await python(file)
      const loaded: Record<string, unknown>[] = JSON.parse(await python('-c', readWarehouse))
      const expected: unknown[] = []
      for (const { id } of await sql`select id from workgate.projects`)
        for (const [name, text] of await readLists(read, id)) {
          const { name: called, title, tags } = JSON.parse(text)
          expected.push([id, ...name.split(' '), called ?? title ?? null, tags ?? null])
        }
      const rows = loaded.map(({ project_id, kind, id, name, title, tags }) => [project_id, kind, id, name ?? title ?? null, tags ?? null]) // prettier-ignore
      assert.deepEqual(rows.map(String).toSorted(), expected.map(String).toSorted())
      return Math.max(...loaded.map(({ n }) => Number(n)))
    }
    await churn(3)
    const first = await load()
    await churn(4)
    const second = await load()
    assert.ok(second > first && second - first < first / 2, `${first} ${second}`)
    await sql`select workgate.touch()`
    await churn(5)
    assert.ok((await load()) - second > first / 2)
  })
})

const readWarehouse = `
import duckdb, json
db = duckdb.connect("warehouse.duckdb")
kinds = "project user team board stage task comment file time_entry document".split()
rows = []
for kind in kinds:
    result = db.execute(f"select * from workgate.{kind}")
    names = [column[0] for column in result.description]
    rows += [dict(zip(names, row)) for row in result.fetchall()]
for row in rows:
    row["tags"] = json.loads(row["tags"]) if row.get("tags") else None
print(json.dumps(rows, default=str))
`

test('the CSV example of loading data fills a project, with its analytics', async () => {
  const chapter = readChapter(await textOf('loading-data'), '### From CSV files')
  const program = readCodeBlocks(chapter).map(({ code }) => code).join('\n') // prettier-ignore
  await runProgram('sh', program, { DATABASE_URL: url })
  const [project] = await sql`select id from workgate.projects where key = 'OFFICE'`
  const id = project!['id'] as string
  assert.deepEqual([...(await sql`select * from workgate.recount(${id})`)], [])
  const headers = { authorization: `Bearer ${key}` }
  const list = await fetch(`${origin}${api}/projects/OFFICE/tasks?sort=number&include=tags`, { headers })
  const { data } = (await list.json()) as { data: Record<string, unknown>[] }
  assert.deepEqual(
    data.map(({ externalId, state, dueDate, completedAt }) => [externalId, state, dueDate, completedAt]),
    [
      ['T-1', 'completed', '2026-03-01', '2026-02-20T16:30:00.000Z'],
      ['T-2', 'open', '2026-04-15', null],
      ['T-3', 'open', null, null],
    ],
  )
})
