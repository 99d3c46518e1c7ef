// The digest of a work packet follows RFC 8785 and the verification guide.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { canonicalJson, digestOf, packetsQuery } from '../../src/resources/work-packets/packets.ts'
import { id, insertData, web } from '../support/data.ts'
import { readCodeBlocks } from '../support/code-blocks.ts'
import { api, connect, freshDatabase, issueKey, startArtifact } from '../support/workgate.ts'

// prettier-ignore
const canonical: [claim: string, json: string, expected: string][] = [
  ['the example of the RFC',
    String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`],
  ['the sorting example of the RFC, by UTF-16 code units rather than code points',
    String.raw`{"\u20ac": 5, "\r": 1, "\ufb33": 7, "1": 2, "\ud83d\ude00": 6, "\u0080": 3, "\u00f6": 4}`,
    '{"\\r":1,"1":2,"\u0080":3,"ö":4,"€":5,"😀":6,"\ufb33":7}'],
  ['numeric names and __proto__',           '{"b": {"10": 1, "9": 2}, "__proto__": [{}, []], "a": ""}', '{"__proto__":[{},[]],"a":"","b":{"10":1,"9":2}}'],
  ['the largest exact number',              '[9007199254740991, -0, 1.0]',                                '[9007199254740991,0,1]'],
]

for (const [claim, json, expected] of canonical) {
  test(`canonical JSON: ${claim}`, () => assert.equal(canonicalJson(JSON.parse(json)), expected))
}

describe('a work packet', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  const task = id('task', 1)

  before(async () => {
    database = await freshDatabase()
    await insertData(database.sql)
    await database.sql.unsafe(`
      update workgate.tasks set title = E'"\\u20ac" \\\\ \\u2028 \\n 😀', due_date = '2026-02-03', estimate_seconds = 1 where id = '${task}';
      insert into workgate.comments (project_id, task_id, body) values ('${web}', '${task}', 'x')`)
  })
  after(() => database.drop())

  test('has the digest that the example in the guide computes', async () => {
    const guide = await readFile('src/docs/guides/verification.md', 'utf8')
    const example = readCodeBlocks(guide).find(({ file }) => file === 'check-digest.mjs')!.code
    const folder = await mkdtemp(join(tmpdir(), 'workgate-guide-'))
    const service = await startArtifact({ DATABASE_URL: database.url })
    try {
      const file = join(folder, 'check-digest.mjs')
      await writeFile(file, example)
      const key = await issueKey(database.sql, 'reader')
      const path = `/projects/${web}/tasks/${task}/work-packet`
      const env = { PATH: process.env['PATH'], WORKGATE_KEY: key }
      const { stdout } = await promisify(execFile)(process.execPath, [file, service.url + api + path], { env })
      const { digest } = (await service.send(`GET ${path}`, { key })).body.data
      assert.equal(stdout, `right: ${digest}\n`)
      // The example also detects a wrong digest.
      await writeFile(file, example.replace('...packet } = data', '...packet } = { ...data, version: 0 }'))
      const other = await promisify(execFile)(process.execPath, [file, service.url + api + path], { env })
      assert.ok(other.stdout.startsWith(`wrong: ${digest} should be sha256:`), other.stdout)
    } finally {
      await service.close()
      await rm(folder, { recursive: true })
    }
  })

  test('has the same digest in every time zone, date style and locale of the connection', async () => {
    const { text } = packetsQuery.statementFor({ projectId: null, taskIds: null })
    const digests = new Set<string>()
    for (const connection of [
      { TimeZone: 'UTC', DateStyle: 'ISO' },
      { TimeZone: 'Asia/Tokyo', DateStyle: 'German', extra_float_digits: -15 },
      { TimeZone: 'America/St_Johns', DateStyle: 'SQL, DMY', IntervalStyle: 'sql_standard', lc_numeric: 'C' },
    ]) {
      const sql = connect(database.url, { max: 1, connection })
      const [row] = await sql.unsafe(text, [web, [task]])
      digests.add(digestOf(JSON.parse(row!['packet'])))
      await sql.end()
    }
    assert.equal(digests.size, 1)
  })
})
