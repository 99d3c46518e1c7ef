// The families of operations, in the order of the routes.

const families: readonly [name: string, path: RegExp, description: string][] = [
  ['Key', /^\/key$/, 'The key that asks, and what it may.'],
  ['Projects', /^\/projects(\/:projectId)?$/, 'The projects that the key reaches.'],
  ['People', /\/(users|teams)$/, 'Who works on a project, and in which teams.'],
  ['Boards', /\/(boards|stages)$/, 'The boards of a project and their stages, through which tasks move.'],
  ['Tasks', /\/tasks(\/:taskId(\/complete)?)?$/, 'What is to be done, and what is done.'],
  [
    'Work packets',
    /\/work-packet\b/,
    'All that is stored about a task, and whether it is as expected: [proof that a change has landed](/docs/verification).',
  ],
  ['Comments', /\/comments\b/, 'What was said about tasks, and what is known of the files that go with it.'],
  ['Time entries', /\/time-entries\b/, 'The time that was tracked on tasks.'],
  ['Documents', /\/documents\b/, 'Metadata of documents, never their text.'],
  [
    'Analytics',
    /\/(analytics\/\w+|summary)$/,
    'Figures of what is stored now, exact: [what they mean](/docs/analytics).',
  ],
  ['Service', /^\/(healthz|readyz)$/, 'How the service is. Without a key.'],
]

export const tags = families.map(([name, , description]) => ({ name, description }))

export function tagOf(path: string): string {
  const family = families.find(([, paths]) => paths.test(path))
  if (!family) throw new Error(`no family has the path ${path}`)
  return family[0]
}
