// The digest of a work packet follows RFC 8785 and the verification guide.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { canonicalJson, digestOf, packetQuery } from '../../src/resources/work-packets/packet.ts'
import { cleanUp, temporaryFolder } from '../faults/fixtures/embedded.ts'
import { id, insertData, web } from '../support/data.ts'
import { readCodeBlocks } from '../support/code-blocks.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { api, connect, issueKey, startArtifact } from '../support/workgate.ts'

const task = id('task', 1)
const { sql: owner, url } = await suiteDatabase(async (sql) => {
  await insertData(sql)
  await sql.unsafe(`
    update workgate.tasks set title = E'"\\u20ac" \\\\ \\u2028 \\n 😀', due_date = '2026-02-03', estimate_seconds = 1 where id = '${task}';
    insert into workgate.comments (project_id, task_id, body) values ('${web}', '${task}', 'x')`)
})

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
  test('has the digest that the example in the guide computes', async (t) => {
    const guide = await readFile('src/docs/guides/verification.md', 'utf8')
    const example = readCodeBlocks(guide).find(({ file }) => file === 'check-digest.mjs')!.code
    const service = await startArtifact({ DATABASE_URL: url })
    cleanUp(t, service.close)
    const file = join(await temporaryFolder(t), 'check-digest.mjs')
    const key = await issueKey(owner, 'reader')
    const path = `/projects/${web}/tasks/${task}/work-packet`
    const env = { PATH: process.env['PATH'], WORKGATE_KEY: key }
    const runExample = async (code: string) => {
      await writeFile(file, code)
      return (await promisify(execFile)(process.execPath, [file, service.url + api + path], { env })).stdout
    }
    const { digest } = (await service.send(`GET ${path}`, { key })).body.data
    assert.equal(await runExample(example), `right: ${digest}\n`)
    const other = await runExample(example.replace('...packet } = data', '...packet } = { ...data, version: 0 }'))
    assert.ok(other.startsWith(`wrong: ${digest} should be sha256:`), other)
  })

  test('has the same digest in every time zone, date style and locale of the connection', async () => {
    const { text } = packetQuery.statementFor({ projectId: null, taskId: null })
    const digests = new Set<string>()
    for (const connection of [
      { TimeZone: 'UTC', DateStyle: 'ISO' },
      { TimeZone: 'Asia/Tokyo', DateStyle: 'German', extra_float_digits: -15 },
      { TimeZone: 'America/St_Johns', DateStyle: 'SQL, DMY', IntervalStyle: 'sql_standard', lc_numeric: 'C' },
    ]) {
      const sql = connect(url, { max: 1, connection })
      const [row] = await sql.unsafe(text, [web, task])
      digests.add(digestOf(JSON.parse(row!['packet'])))
      await sql.end()
    }
    assert.equal(digests.size, 1)
  })
})
