// The names of months, whole and short, in the languages of Jira and of spreadsheets: exports are in the language of the
// person who made them.

const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'cs', 'da', 'et', 'fi', 'hu', 'is', 'ko', 'nb', 'ro', 'ru', 'sk', 'sv', 'zh'] // prettier-ignore

/** Short names that only older versions of Java write. */
const oldNames: Readonly<Record<string, number>> = { mrz: 3, sep: 9, sept: 9 }

let known: Map<string, number> | undefined

/** 0 if it is the name of no month. Numbers, as in 10月, remain. */
export function monthOf(name: string): number {
  if (/^\d/.test(name)) return Number.parseInt(name, 10)
  return (known ??= readNames()).get(fold(name)) ?? 0
}

const fold = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** A name that is that of different months in two languages is none. */
function readNames(): Map<string, number> {
  const names = new Map(Object.entries(oldNames))
  const add = (text: string, month: number) => {
    const name = fold(text)
    if (name === '' || /\d/.test(name)) return
    names.set(name, (names.get(name) ?? month) === month ? month : 0)
  }
  for (const language of languages)
    for (const width of ['short', 'long'] as const) {
      // A language can have two forms: after a day, and by itself.
      const formats = [{ month: width }, { month: width, day: 'numeric' }] as const
      for (const options of formats) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 1))
          add(parts.find(({ type }) => type === 'month')!.value, month)
        }
      }
    }
  return names
}
