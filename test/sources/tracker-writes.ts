// Random writes to the fake tracker. Each text and each length of time is used once, so that what the project shows can be
// found in the tracker.

import type { chooser } from '../support/random.ts'
import type { FakeGitea } from './fake-gitea.ts'

type Choose = ReturnType<typeof chooser>

/** A write can be stamped so long before it can be read, as if its transaction had waited. */
const maxLateSeconds = 20

/** Renames of labels and moves of milestones lead to reading everything, which would hide what a window has lost. */
const settingsShare = 0.01

export function randomWrites(gitea: FakeGitea, { below, pick, chance, some, times }: Choose) {
  let last = 1_000
  const issue = () => pick([...gitea.issues.keys()])
  const existing = (all: ReadonlyMap<number, unknown>, act: (id: number) => void) => {
    if (all.size > 0) act(pick([...all.keys()]))
  }
  const comment = () => void gitea.comment(issue(), `${++last}: new`)
  const editComment = () =>
    existing(gitea.comments, (id) => gitea.editComment(id, chance(0.1) ? '' : `${++last}: edited`))
  const deleteComment = () => existing(gitea.comments, (id) => gitea.comments.delete(id))
  const deleteTime = () => existing(gitea.times, (id) => gitea.times.delete(id))
  const track = () => void gitea.track(issue(), ++last)
  const retitle = () => gitea.edit(issue(), { title: `Title ${++last}` })
  const create = () => void gitea.create({ title: `Title ${++last}`, labels: new Set(some([1, 2], 2)) })
  const remove = () => void (gitea.issues.size > 60 && gitea.remove(issue()))
  /** An old one, whose page may have been read, so that the following ones move. */
  const deleteEarlyComment = () => existing(gitea.comments, () => gitea.comments.delete(pick([...gitea.comments.keys()].slice(0, 50)))) // prettier-ignore
  const late = () => {
    retitle()
    const edited = [...gitea.issues.values()].find(({ title }) => title === `Title ${last}`)!
    edited.updated -= below(maxLateSeconds) * 1_000
  }
  const both =
    (...acts: (() => void)[]) =>
    () =>
      acts.forEach((act) => act())

  const writes = [
    create,
    retitle,
    late,
    () => gitea.edit(issue(), { isOpen: chance(0.5) }),
    () => gitea.edit(issue(), { labels: new Set(some([1, 2], 2)) }),
    () => gitea.edit(issue(), { assignees: some(['ann', 'bob', 'cat'], 2) }),
    () => gitea.edit(issue(), { milestone: chance(0.5) ? 1 : undefined }),
    comment,
    editComment,
    deleteComment,
    track,
    deleteTime,
    remove,
    both(remove, create),
    both(deleteComment, comment),
    both(deleteEarlyComment, comment),
    both(deleteTime, track),
    both(create, () => void gitea.comment([...gitea.issues.keys()].at(-1)!, `${++last}: first`)),
  ]
  const ofSettings = [
    () => gitea.labels.set(pick([1, 2]), `label ${++last}`),
    () => gitea.milestones.set(1, `2026-07-${10 + below(20)}T00:00:00Z`),
  ]
  const ofMany = [
    () => [...gitea.issues.keys()].slice(-70).forEach((id) => gitea.edit(id, { title: `Title ${++last}` })),
    () => [...gitea.comments.keys()].forEach((id) => gitea.editComment(id, `${++last}: again`)),
  ]

  return {
    /** 120 issues with as many comments and time entries. */
    fill(): void {
      times(120, create)
      times(120, comment)
      times(120, track)
    },
    write(): void {
      pick<() => unknown>(chance(settingsShare) ? ofSettings : writes)()
      if (chance(0.3)) pick(writes)()
    },
    /** So many that a window has several pages. */
    writeMany: (): void => pick(ofMany)(),
    /** Keeps the total of a list, but moves a row from a page that was not read yet to one that was. */
    replace(): void {
      pick([both(remove, create), both(remove, retitle), both(deleteComment, comment), both(deleteEarlyComment, comment), both(deleteTime, track)])() // prettier-ignore
    },
    /** The clock of the tracker goes on, and is sometimes set back. */
    passTime: () => gitea.wait(chance(0.1) ? -below(8) : below(41)),
    /** Lists an issue that is being deleted as Gitea does: without its labels and assignees. On one of the next pages. */
    deleteWhileListed(onDeleted: () => void): void {
      let pages = below(4)
      gitea.answer = (path, records) => {
        if (!path.includes('/issues?') || records.length === 0 || pages-- > 0) return {}
        gitea.answer = () => ({})
        const { number } = pick(records as { number: number }[])
        queueMicrotask(() => {
          gitea.remove(number)
          onDeleted()
        })
        return { records: (records as { number: number }[]).map((record) => record.number === number ? { ...record, labels: [], assignees: null } : record) } // prettier-ignore
      }
    },
  }
}
