// Finds the entries of the search index that contain all words of a query, best first.

const maxResults = 20
const maxExcerpt = 170
/** The length of an excerpt before its first match. */
const maxBefore = 50

/** The worth of a match in the title or the page of an entry. A match in its text is worth 1. */
const titleWorth = 8
const pageWorth = 3

export function createFind(entries) {
  const folded = entries.map((entry) => ({
    entry,
    title: entry.title.toLowerCase(),
    page: entry.page.toLowerCase(),
    text: entry.text.toLowerCase(),
  }))

  /** Returns entries, each with an excerpt around the first match. */
  return function find(query) {
    // The index contains paths as the guides write them: /projects/:projectId.
    const phrase = query
      .trim()
      .toLowerCase()
      .replace(/\{(\w+)\}/g, ':$1')
    const words = phrase.split(/\s+/).filter(Boolean).map(formsOf)
    if (words.length === 0) return []
    const wordScores = words.map((forms) => weighted(folded.map((candidate) => scoreOf(candidate, forms))))
    return folded
      .map((candidate, n) => {
        const scores = wordScores.map((ofWord) => ofWord[n])
        // An entry must contain all words.
        if (scores.includes(0)) return { score: 0 }
        const score = scores.reduce((sum, score) => sum + score, worthOfPhrase(candidate, phrase))
        return { entry: candidate.entry, score }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, maxResults)
      .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }))
  }
}

const scoreOf = ({ title, page, text }, forms) =>
  titleWorth * matchIn(title, forms) + pageWorth * matchIn(page, forms) + matchIn(text, forms)

/** A word that few entries contain says more than one that many contain. */
function weighted(scores) {
  const weight = Math.log(1 + scores.length / (1 + scores.filter((score) => score > 0).length))
  return scores.map((score) => weight * score)
}

/** The text of an operation starts with its method and path. */
function worthOfPhrase({ title, text }, phrase) {
  const start = phrase.startsWith('/') ? text.slice(text.indexOf(' ') + 1) : text
  if (title === phrase || start.startsWith(`${phrase} `)) return 5 * titleWorth
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
      best = Math.max(best, (starts ? (ends ? 1 : 0.8) : 0.2) * (n === 0 ? 1 : 0.7))
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
