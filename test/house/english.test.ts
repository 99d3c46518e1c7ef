// Everything that people read is plain English: no headless sentences, and none of the phrases that read like a
// translation.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sentencesIn, type Sentence } from './prose.ts'

/** A relative clause in the place of a noun. Questions may begin like this. */
const headless =
  /^(What|Whoever|Who|Whom|Whose|Where|Wherever|Whatever|Whichever|Whether|That which|Of an?|Of the|As (many|much|few)\b.* as|With [^.,:;]* there (is|are))\b.*[^?]$/

// prettier-ignore
const phrases = [
  'a better line', 'a key for intentions', 'are told of', 'as If-Match has it', 'as may be', 'bears', 'can know of', 'cannot be had', 'comes out of',
  'from of old', 'gets on', 'half a character', 'inside reach', 'is told of', 'it is so', 'lead to', 'leads to', 'least rights', 'likes best', 'look whether',
  'looks whether', 'made of what', 'nobody waits', 'of figures', 'of ours', 'one of ours', 'one too many', 'or the like', 'say it as', 'say the name',
  'schema up', 'some chance', 'stands twice', 'stands there', 'that asks', 'the deed', 'the map of the house', 'there is nothing at', 'to be had', 'what there is',
  'whoever',
]
const phrase = new RegExp(`\\b(${phrases.join('|')})\\b`, 'i')

/** These files quote the phrases, or are not prose. */
const exempt = [
  /^test\/house\/english\.test\.ts$/,
  /^src\/commands\/demo\//,
  /^sql\/demo\//,
  /license/,
  /\.json$/,
  /\.html$/,
]

const files = [
  'README.md',
  '.ci/run',
  '.ci/full',
  ...(await Promise.all(['src', 'sql', 'test'].map(filesIn))).flat(),
].filter(
  (file) => /(\.(ts|mts|mjs|js|sql|md|py)|\/(run|full))$/.test(file) && !exempt.some((pattern) => pattern.test(file)),
)
const sentences = (
  await Promise.all(
    files.map(async (file) =>
      sentencesIn(file, await readFile(file, 'utf8')).map((sentence) => ({ file, ...sentence })),
    ),
  )
).flat()

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

const report = (found: (Sentence & { file: string })[]) =>
  found.map(({ file, line, text }) => `${file}:${line}: ${text}`)

test('a headless sentence and a listed phrase are found', () => {
  const text = [
    '// What is kept. It bears a name,',
    '// with the',
    '// deed.',
    "test('who asks is answered', () => {})",
  ].join('\n')
  const found = sentencesIn('x.ts', text)
  assert.deepEqual(found.map((sentence) => sentence.text), ['What is kept.', 'It bears a name, with the deed.', 'who asks is answered']) // prettier-ignore
  assert.deepEqual(found.map((sentence) => headless.test(sentence.text)), [true, false, false]) // prettier-ignore
  assert.ok(phrase.test(found[1]!.text))
  assert.ok(!headless.test('Who may call this?'))
})

test('the prose of the whole project is checked', () => {
  assert.ok(sentences.length > 5_000, `${sentences.length} sentences`)
})

test('no sentence is headless', () => {
  assert.deepEqual(report(sentences.filter(({ text }) => headless.test(text))), [])
})

test('no phrase reads like a translation', () => {
  assert.deepEqual(report(sentences.filter(({ text }) => phrase.test(text))), [])
})
