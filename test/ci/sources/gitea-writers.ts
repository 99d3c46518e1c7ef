// Writes to a real Gitea at random, and says what a project that follows it has to show.

import type { chooser } from '../../support/random.ts'
import type { CopiedIssue } from '../../sources/copied-project.ts'
import type { Gitea } from './gitea-server.ts'

const people = ['ann', 'reader']
const labelCount = 3

/** A private repository with labels, milestones and a few issues, which the reader can see. */
export async function createRepository({ ann }: Gitea, name: string) {
  const root = `/repos/ann/${name}`
  await ann('POST /user/repos', { name, private: true })
  await ann(`PUT ${root}/collaborators/reader`, { permission: 'write' })
  const labels: number[] = []
  for (let n = 0; n < labelCount; n++)
    labels.push((await ann(`POST ${root}/labels`, { name: `label ${n}`, color: '#ff0000' })).id)
  const milestone: number = (await ann(`POST ${root}/milestones`, { title: 'M', due_on: '2027-01-01T12:00:00Z' })).id
  return { root, labels, milestone }
}

export type Repository = Awaited<ReturnType<typeof createRepository>>

/**
 * Another writer can delete what a write is about: such a write fails, and changes nothing. After each five writes, it waits
 * for `nextRound`: rounds cannot end while Gitea changes without a pause.
 */
export async function writeAtRandom(
  { ann }: Gitea,
  { root, labels, milestone }: Repository,
  { pick, below, chance, some }: ReturnType<typeof chooser>,
  count: number,
  nextRound: () => Promise<unknown>,
): Promise<void> {
  const issues: number[] = []
  const comments: number[] = []
  const times: { issue: number; id: number }[] = []
  const take = <T>(list: T[]) => list.splice(below(list.length), 1)[0]
  for (let n = 0; n < count; n++) {
    if (n % 5 === 4) await nextRound()
    const send = (line: string, body?: object) => ann(line.replace(' ', ` ${root}`), body, true)
    const issue = pick(issues)
    const acts: (() => Promise<unknown>)[] = [
      () => send(`PATCH /issues/${issue}`, { title: `Title ${n}` }),
      () => send(`PATCH /issues/${issue}`, { state: chance(0.5) ? 'closed' : 'open' }),
      () => send(`PATCH /issues/${issue}`, { assignees: some(people, 2) }),
      () => send(`PATCH /issues/${issue}`, { milestone: chance(0.5) ? milestone : 0 }),
      () => send(`PUT /issues/${issue}/labels`, { labels: some(labels, 3) }),
      () => send(`PATCH /issues/comments/${pick(comments)}`, { body: `edited ${n}` }),
      () => send(`DELETE /issues/comments/${take(comments)}`),
      () => send(`DELETE /issues/${take(issues)}`),
      async () => comments.push((await send(`POST /issues/${issue}/comments`, { body: `comment ${n}` }))?.id),
      async () => times.push({ issue: issue!, id: (await send(`POST /issues/${issue}/times`, { time: 60 + n }))?.id }),
      async () => {
        const entry = take(times)
        await send(`DELETE /issues/${entry?.issue}/times/${entry?.id}`)
      },
    ]
    if (issues.length < 3 || chance(0.25))
      issues.push((await ann(`POST ${root}/issues`, { title: `Title ${n}`, labels: some(labels, 3) })).number)
    else if (chance(0.02)) await send(`PATCH /labels/${pick(labels)}`, { name: `label of ${n} ${below(1_000_000)}` })
    else await pick(acts)()
  }
}

/** What the project has to show, by Gitea's API. */
export async function shownByGitea({ ann }: Gitea, { root }: Repository): Promise<CopiedIssue[]> {
  async function all(list: string) {
    const records: any[] = []
    for (let page = 1; ; page++) {
      const read: any[] = await ann(`GET ${root}/${list}limit=50&page=${page}`)
      records.push(...read)
      if (read.length < 50) return records
    }
  }
  const comments = await all('issues/comments?')
  const times = await all('times?')
  return (await all('issues?state=all&type=issues&'))
    .map((issue) => ({
      number: issue.number,
      title: issue.title,
      state: issue.state === 'open' ? 'open' : 'completed',
      due: issue.milestone?.due_on.slice(0, 10) ?? null,
      tags: issue.labels.map(({ name }: { name: string }) => name).sort(),
      assignees: (issue.assignees ?? []).map(({ login }: { login: string }) => login),
      comments: comments
        .filter(({ issue_url }) => issue_url.endsWith(`/issues/${issue.number}`))
        .map(({ body }) => body)
        .sort(),
      times: times
        .filter((entry) => entry.issue.number === issue.number)
        .map(({ time }) => time)
        .sort((a, b) => a - b),
    })) // prettier-ignore
    .sort((a, b) => a.number - b.number)
}
