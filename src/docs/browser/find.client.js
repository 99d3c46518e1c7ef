// Finds the entries of the search index that contain all words of a query, best first. If there are none, it finds those
// that contain any of the words.

const maxResults = 20
const maxExcerpt = 170
/** The length of an excerpt before its first match. */
const maxBefore = 50

/** Words of questions. They say nothing about the subject. */
const fillers = new Set(
  'a an and are can do does for how i in is it my of on or the to what when where with'.split(' '),
)

/** The worth of a match in the title, the synonyms or the page of an entry. A match in its text is worth 1. */
const titleWorth = 8
const pageWorth = 3

export function createFind(entries) {
  const folded = entries.map((entry) => ({
    entry,
    title: entry.title.toLowerCase(),
    synonyms: entry.synonyms?.split(', ') ?? [],
    page: entry.page.toLowerCase(),
    text: entry.text.toLowerCase(),
  }))

  /** Returns entries, each with an excerpt around the first match, and whether they contain all words. */
  return function find(query) {
    // The index contains paths as the guides write them: /projects/:projectId.
    const phrase = query
      .trim()
      .toLowerCase()
      .replace(/\{(\w+)\}/g, ':$1')
    const all = phrase.split(/[\s?]+/).filter(Boolean)
    const telling = all.filter((word) => !fillers.has(word))
    const words = (telling.length > 0 ? telling : all).map(formsOf)
    if (words.length === 0) return { results: [], hasAll: true }
    const wordScores = words.map((forms) => weighted(folded.map((candidate) => scoreOf(candidate, forms))))
    const scored = folded.map((candidate, n) => {
      const scores = wordScores.map((ofWord) => ofWord[n]).filter((score) => score > 0)
      const score = scores.reduce((sum, score) => sum + score, worthOfPhrase(candidate, phrase))
      return { entry: candidate.entry, score, matches: scores.length }
    })
    const hasAll = scored.some(({ matches }) => matches === words.length)
    const results = scored
      .filter(({ matches }) => matches >= (hasAll ? words.length : 1))
      .sort((a, b) => b.score - a.score)
      .slice(0, maxResults)
      .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }))
    return { results, hasAll }
  }
}

const scoreOf = ({ title, synonyms, page, text }, forms) =>
  titleWorth * Math.max(matchIn(title, forms), matchIn(synonyms.join(' '), forms)) +
  pageWorth * matchIn(page, forms) +
  matchIn(text, forms)

/** A word that few entries contain says more than one that many contain. */
function weighted(scores) {
  const weight = Math.log(1 + scores.length / (1 + scores.filter((score) => score > 0).length))
  return scores.map((score) => weight * score)
}

/** The text of an operation starts with its method and path. */
function worthOfPhrase({ title, synonyms, text }, phrase) {
  const start = phrase.startsWith('/') ? text.slice(text.indexOf(' ') + 1) : text
  if (title === phrase || synonyms.includes(phrase) || start.startsWith(`${phrase} `)) return 5 * titleWorth
  if (start.startsWith(phrase)) return 2 * titleWorth
  return title.includes(phrase) ? titleWorth : 0
}

/** Returns 1 for a whole word, less for its beginning, another form or its middle, and 0 if it is absent. */
function matchIn(text, forms) {
  let best = 0
  for (const [n, form] of forms.entries()) {
    for (let at = text.indexOf(form); at >= 0 && best < 1; at = text.indexOf(form, at + 1)) {
      const starts = !isLetter(text[at - 1])
      const ends = !isLetter(text[at + form.length])
      // A short word is in the middle of many others: "ram" is in "parameter".
      const worth = starts ? (ends ? 1 : 0.8) : form.length > 3 ? 0.2 : 0
      best = Math.max(best, worth * (n === 0 ? 1 : 0.7))
    }
    if (best > 0) break
  }
  return best
}

const isLetter = (character) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** The word, and other forms of it: "retry" also finds "retries", and "rotating" also finds "rotate" and "rotation". */
function formsOf(word) {
  const forms = [word, word.replace(/y$/, 'ies'), word.replace(/ies$/, 'y'), word.replace(/(s|ed|ing|ion|e)$/, '')]
  return [...new Set(forms)].filter((form) => form === word || form.length > 3)
}

/** Splits a part of the text around the first match. Every other element is a match. */
function excerptOf(text, words) {
  const forms = words.flat().sort((a, b) => b.length - a.length)
  const source = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
  const matches = new RegExp(`(?<![\\p{L}\\p{N}])(${source})`, 'giu')
  const first = text.search(matches)
  const start = first < maxBefore ? 0 : text.indexOf(' ', first - maxBefore) + 1
  const end = start + maxExcerpt < text.length ? text.lastIndexOf(' ', start + maxExcerpt) : text.length
  const parts = text.slice(start, end).split(matches)
  if (start > 0) parts[0] = `… ${parts[0]}`
  if (end < text.length) parts.push(`${parts.pop()}\u00a0…`)
  return parts
}
