// The longest descriptions, of as many different words as fit, are stored and found: the words of a row may take up
// to a megabyte in PostgreSQL.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertData, web } from '../support/data.ts'
import { openWorkgate, type Workgate } from '../support/workgate.ts'

let workgate: Workgate
let key: string

before(async () => {
  workgate = await openWorkgate()
  await insertData(workgate.sql)
  key = await workgate.issueKey('reader')
})
after(() => workgate.close())

const signs = (first: number, count: number) => Array.from({ length: count }, (_, n) => String.fromCodePoint(first + n))
const pairs = (letters: string[]) => letters.flatMap((one) => letters.map((two) => one + two))

// prettier-ignore
const scripts: [script: string, words: string[]][] = [
  ['Chinese, a word for each sign, most of four bytes', [...signs(0x20000, 42_720), ...signs(0x4e00, 7_280)]],
  ['Korean, in words of two syllables',                 pairs(signs(0xac00, 190))],
  ['Cyrillic, in long words',                           pairs(signs(0x430, 32)).map((word) => word.repeat(50))],
  ['Greek, in words of three letters',                  pairs(signs(0x3b1, 30)).flatMap((word) => signs(0x3b1, 30).map((sign) => word + sign))],
  ['Latin, in words that go on and on',                 signs(0x61, 26).map((sign, n) => `${n}${sign.repeat(4_000)}`)],
]

for (const [script, words] of scripts) {
  test(`a description in ${script}`, async () => {
    const description = [...words.join(' ')].slice(0, 100_000).join('').trim()
    assert.ok([...description].length > 99_990)
    const [row] = await workgate.sql`
      insert into workgate.tasks (project_id, title, description) values (${web}, 'x', ${description}) returning id`
    const inIt = description.split(' ').sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const word of [inIt[0], inIt[inIt.length >> 1], inIt.at(-1)]) {
      const { body } = await workgate.send(
        `GET /projects/${web}/tasks?q=${encodeURIComponent([...word!].slice(0, 150).join(''))}`,
        { key },
      )
      assert.deepEqual(
        body.data.map((task: { id: string }) => task.id),
        [row!['id']],
      )
      assert.equal(body.data[0].description, description)
    }
  })
}
