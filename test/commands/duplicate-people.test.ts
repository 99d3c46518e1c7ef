// workgate people --duplicates: who is probably the same person.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findDuplicates } from '../../src/commands/people/find-duplicates.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { command } from '../support/workgate.ts'

const ids = ['0000000a', '0000000b', '0000000c'].map((start) => `${start}-0000-7000-8000-000000000000`)
const [a, b] = ids as [string, string]
const { url } = await suiteDatabase(
  (sql) =>
    sql`insert into workgate.users ${sql([
      { id: a, name: 'anna.schaefer', email: null },
      { id: b, name: 'Anna Schäfer', email: 'anna@example.org' },
      { id: ids[2]!, name: 'Somebody else', email: null },
    ])}`,
)

/** Each as "name", "name <address>" or "name * uses". */
function people(texts: string[]) {
  return texts.map((text, n) => {
    const [, name, email = null, uses = '0'] = /^(.*?)(?: <(.*)>)?(?: \* (\d+))?$/.exec(text)!
    return { id: String(n), text, name: name!, email, uses: Number(uses) }
  })
}

// prettier-ignore
const groups: [claim: string, people: string[], groups: string[][]][] = [
  ['the same name in another case and with other spaces', ['Anna Li', 'anna  li'],                  [['Anna Li', 'anna  li']]],
  ['a login',                          ['Anna Schäfer', 'anna-schaefer', 'anna.schaefer'],          [['Anna Schäfer', 'anna-schaefer', 'anna.schaefer']]],
  ['a login without the accents',      ['Anna Schäfer', 'annaschafer'],                             [['Anna Schäfer', 'annaschafer']]],
  ['letters of other languages',       ['Søren Weiß', 'soren.weiss', 'soeren weiss'],               [['Søren Weiß', 'soren.weiss', 'soeren weiss']]],
  ['the address comes first',          ['anna-li * 9', 'Anna Li <a@b.c>'],                          [['Anna Li <a@b.c>', 'anna-li * 9']]],
  ['then the most used',               ['anna-li', 'Anna Li * 2', 'anna li * 1'],                   [['Anna Li * 2', 'anna li * 1', 'anna-li']]],
  ['the local part of an address',     ['Anna Li <al@b.c>', 'AL', 'Bo'],                            [['Anna Li <al@b.c>', 'AL']]],
  ['not an address that two have',     ['Anna Li <anna@b.c>', 'Anna Weber <anna@d.e>', 'anna'],     []],
  ['not two addresses alone',          ['Anna Li <info@b.c>', 'Bo Weber <info@d.e>'],               []],
  ['not a part of the name',           ['Anna', 'Anna Li', 'Li'],                                   []],
  ['not names of other letters',       ['कमल', 'कुमल', '王伟', '李伟', '…', '-', '.'],                []],
  ['several groups',                   ['A', 'B', 'a', 'b', 'c'],                                   [['A', 'a'], ['B', 'b']]],
]

describe('groups', () => {
  for (const [claim, given, expected] of groups)
    test(claim, () => {
      const found = findDuplicates(people(given))
      assert.deepEqual(
        found.map((group) => group.map(({ text }) => text)),
        expected,
      )
    })
})

test('prints a command for each group', async () => {
  const { code, out } = await command(['people', '--duplicates'], { DATABASE_URL: url })
  assert.equal(code, 0)
  assert.match(out, new RegExp(`^DATABASE_URL=… .* people merge ${b} ${a}$`, 'm'))
  assert.ok(!out.includes('Somebody'))
  const json = JSON.parse((await command(['people', '--duplicates', '--json'], { DATABASE_URL: url })).out)
  assert.deepEqual(
    json.map((group: { id: string }[]) => group.map(({ id }) => id)),
    [[b, a]],
  )
})
