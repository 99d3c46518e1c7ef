// Searches for words in any script. The longest descriptions, with as many different words as fit, are stored and
// found: PostgreSQL stores at most a megabyte of words per row.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { web } from '../support/data.ts'
import { valuesOf } from '../support/values.ts'

const { workgate, key } = await contractSuite({ data: 'basic' })

// prettier-ignore
const words: [claim: string, text: string, found: string[], missed: string[]][] = [
  ['in any case',                          'ÜBUNG Ёлка ΑΘΗΝΑ',            ['übung', 'ёЛКА', 'αθηνα ü'],      ['bung']],
  ['by its prefix',                        'Zauberwort',                  ['zauber', 'z'],                   ['wort']],
  ['by its first letter or two',           'a1 é²b xé¡ñ ~ß _k',           ['a', 'é', 'x', 'xé', 'ñ', 'ß k', 'a é x ñ ß k'], ['1', 'k 1']],
  ['between any separators',               'a/b_c.d-e (f) "g"',           ['b c', 'f g', 'a/b'],             ['ab']],
  ['between full-width punctuation',       '你好，世界（今天）。「明天」', ['世界', '今天', '明天'],           ['界']],
  ['with an iteration mark as a letter',   '人々と佐々木',                 ['人々'],                          ['々']],
  ['between Arabic punctuation',           'مرحبا،عالم؟نعم',               ['عالم', 'نعم'],                   ['الم']],
  ['with its vowel signs',                 'हिन्दी।भाषा',                    ['हिन्दी', 'भाषा'],                  ['न्दी']],
  ['next to arrows, currencies and emoji', 'hin→her 5€uro launch🚀pad a×b ®x', ['her', 'uro', 'pad', 'b', 'x'], ['€']],
  ['next to invisible characters',         '\ufeffstart a\u200bb',        ['start', 'b'],                    ['ab']],
  ['composed or decomposed',               'cafe\u0301 Ångström',         ['café', 'A\u030angstro\u0308m'], ['cafe\u0300']],
]

describe('a word is found', () => {
  for (const [claim, text, found, missed] of words) {
    test(claim, async () => {
      const [row] = await workgate.sql`
        insert into workgate.tasks (project_id, title) values (${web}, ${text}) returning id`
      for (const q of [...found, ...missed]) {
        const { status, body } = await workgate.send(`GET /projects/${web}/tasks?q=${encodeURIComponent(q)}`, { key })
        if (status === 400) assert.ok(missed.includes(q), `${q} contains no word`)
        else
          assert.equal(
            body.data.some((task: any) => task.id === row!['id']),
            found.includes(q),
            q,
          )
      }
      await workgate.sql`delete from workgate.tasks where id = ${row!['id']}`
    })
  }
})

const characters = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => String.fromCodePoint(first + n))
const pairs = (letters: string[]) => letters.flatMap((one) => letters.map((two) => one + two))

// prettier-ignore
const scripts: [script: string, words: string[]][] = [
  ['Chinese, a word per character, most of four bytes', [...characters(0x20000, 42_720), ...characters(0x4e00, 7_280)]],
  ['Korean, in words of two syllables',                 pairs(characters(0xac00, 190))],
  ['Cyrillic, in long words',                           pairs(characters(0x430, 32)).map((word) => word.repeat(50))],
  ['Greek, in words of three letters',                  pairs(characters(0x3b1, 30)).flatMap((word) => characters(0x3b1, 30).map((character) => word + character))],
  ['Latin, in very long words',                         characters(0x61, 26).map((character, n) => `${n}${character.repeat(4_000)}`)],
]

for (const [script, words] of scripts) {
  test(`a long description in ${script}, is stored and found`, async () => {
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
      assert.deepEqual(valuesOf(body.data, 'id'), [row!['id']])
      assert.equal(body.data[0].description, description)
    }
  })
}
