// The service, broken on purpose: each of these variants answers with what was, some time or other, and the checker has to see it.

/** One place in one file of the service; the text must be there, once. */
export interface Edit {
  file: string
  from: string
  to: string
}

export interface Variant {
  name: string
  edits: Edit[]
}

const app = 'src/http/app.ts'

/** Keeps what an endpoint has answered, by a key; says whether it may be sent again. */
const kept = (name: string, key: string, isGood: string): Variant => ({
  name,
  edits: [
    {
      file: app,
      from: 'const longestTarget =',
      to: 'const kept = new Map<string, any>()\nconst longestTarget =',
    },
    {
      file: app,
      from: 'const answer = await endpoint.handle({ key, projectId, path, ...given, checkAgain, whenGone }, services)',
      to: `
        const place_ = ${key}
        const old = kept.get(place_)
        const answer = !endpoint.write && old && ${isGood} ? old.answer
          : await endpoint.handle({ key, projectId, path, ...given, checkAgain, whenGone }, services)
        if (!endpoint.write && answer !== old?.answer) kept.set(place_, { at: performance.now(), answer })`,
    },
  ],
})

export const variants: Variant[] = [
  kept('answers are kept for 50 ms', 'path + search + key.id', 'performance.now() - old.at < 50'),
]
