// Finds groups of users who are probably one person: they have the same name, or one has as name what the address of
// another begins with.

export interface Candidate {
  id: string
  name: string
  email: string | null
  /** How often tasks, comments and time entries refer to the user. */
  uses: number
}

/** The user to keep comes first: one with an address, and else the one with the most uses. */
export function findDuplicates<T extends Candidate>(people: readonly T[]): T[][] {
  const groups = createGroups(people)
  for (const same of groupBy(people, ({ name }) => spellings(name)).values()) groups.join(same)

  // An address that begins with "anna" says nothing if that of another Anna does, too.
  const byName = groupBy(people, ({ name }) => spellings(name))
  const byAddress = groupBy(people, ({ email }) => (email === null ? [] : spellings(email.replace(/@.*/s, ''))))
  const links = [...byAddress].flatMap(([spelling, addressed]) => {
    const named = byName.get(spelling)
    const isClear = new Set(addressed.map(groups.of)).size === 1
    return named && isClear ? [[...addressed, ...named]] : []
  })
  for (const link of links) groups.join(link)

  return [...new Set(people.map(groups.of))]
    .filter((group) => group.length > 1)
    .map((group) => group.toSorted((a, b) => Number(b.email !== null) - Number(a.email !== null) || b.uses - a.uses))
}

/** Each of the people is in a group, at first alone. Groups can be joined. */
function createGroups<T>(people: readonly T[]) {
  const groups = new Map(people.map((one) => [one, [one]]))
  return {
    of: (one: T): readonly T[] => groups.get(one)!,
    join(some: readonly T[]) {
      const joined = [...new Set(some.map((one) => groups.get(one)!))].flat()
      for (const one of joined) groups.set(one, joined)
    },
  }
}

function groupBy<T>(people: readonly T[], keysOf: (one: T) => readonly string[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const one of people)
    for (const key of keysOf(one)) {
      const group = found.get(key)
      if (group) group.push(one)
      else found.set(key, [one])
    }
  return found
}

const pairs: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
}
const single: Readonly<Record<string, string>> = { ...pairs, ø: 'o', ł: 'l', đ: 'd' }

/** Without case, accents and punctuation: "Anna Schäfer" is written "annaschafer" and "annaschaefer". */
function spellings(text: string): string[] {
  const lower = text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[\s._'’-]/g, '')
  const withPairs = replaceLetters(lower, pairs)
  const all = new Set([lower, withPairs].map((one) => replaceLetters(withoutAccents(one), single)))
  return [...all].filter((one) => one !== '')
}

const replaceLetters = (text: string, letters: Readonly<Record<string, string>>) =>
  Array.from(text, (letter) => letters[letter] ?? letter).join('')

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
