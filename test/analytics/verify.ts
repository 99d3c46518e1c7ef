// Requests all figures while no client writes, and compares them with the oracle, with the lists, and with each other.

import assert from 'node:assert/strict'
import { inPlaceOf } from '../support/places.ts'
import type { Workgate } from '../support/workgate.ts'
import { addsUp, compareProgress } from './compare.ts'
import { overviewFigures, progressFigures, timeFigures, type Figure } from './figures-from-lists.ts'
import { progressQuery, timeQuery, type Choice } from './moments.ts'
import { overviewOf, summaryOf, totalsOf, type SummaryQuery } from './analytics-oracle.ts'
import { today } from './oracle-days.ts'
import { progressOf, timeIn } from './oracle-ranges.ts'
import { pointsAsMeasure, projectsIn, readTables, sum, tasksAsMeasure, type Project, type Row } from './oracle-rows.ts'
import { permanent, userIds } from './analytics-world.ts'

const rangesEach = 5

export const pathOf = (project: string, name: string) => `/projects/${project}/analytics/${name}`
export const withQuery = (path: string, query: object) =>
  `${path}?${new URLSearchParams(query as Record<string, string>)}`

/** The key `all` can access all projects, the key `some` only some of them. */
export function verifier(workgate: Workgate, keys: Record<'all' | 'some', string>, choice: Choice) {
  const { below, chance, pick, times } = choice
  const known = new Set<string>()

  async function ask(path: string, key = keys.all): Promise<Row> {
    const { status, text, body } = await workgate.send(`GET ${path}`, { key })
    assert.equal(status, 200, `${path}\n${text}`)
    return body
  }

  async function walk(path: string, query: object, key = keys.all): Promise<Row[]> {
    const pages: Row[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await ask(withQuery(path, { ...query, ...(cursor && { cursor }) }), key)
      cursor = page['meta'].nextCursor
      pages.push(page)
    }
    return pages
  }

  async function compareProject(id: string, project: Project, day: string, sampled: boolean) {
    for (const measure of [tasksAsMeasure, pointsAsMeasure]) {
      const path = withQuery(pathOf(id, 'overview'), measure.name ? { measure: measure.name } : {})
      const overview = await ask(path)
      assert.deepEqual(overview, { data: overviewOf(project, measure, day) }, path)
      if (!measure.name) addsUp['overview']!(overview['data'], path)
      if (sampled) await compareWithLists(id, overviewFigures(choice, overview['data'], day))
    }
    for (const query of times(rangesEach, () => progressQuery(choice))) {
      const path = withQuery(pathOf(id, 'progress'), query)
      const progress = await ask(path)
      compareProgress(progress['data'], progressOf(project, query, day), day, path)
      if (!query.measure) addsUp['progress']!(progress['data'], path)
      assert.deepEqual(await ask(path), progress, `${path}, requested again`)
      if (sampled && !query.leaveOutType) await compareWithLists(id, progressFigures(choice, progress['data']))
    }
    for (const query of times(rangesEach, () => timeQuery(choice, userIds))) {
      const path = withQuery(pathOf(id, 'time'), query)
      const time = await ask(path)
      assert.deepEqual(time, { data: timeIn(project, query, day) }, path)
      if (sampled) await compareWithLists(id, timeFigures(choice, time['data']))
    }
  }

  async function compareWithLists(project: string, figures: Figure[]) {
    for (const { value, list, of, per = 1 } of figures) {
      const [path, filters] = `/projects/${project}/${list}`.split('?') as [string, string?]
      const pages = await walk(path, { ...Object.fromEntries(new URLSearchParams(filters)), limit: 200 })
      const rows = pages.flatMap(({ data }) => data as Row[])
      assert.equal(value, of ? sum(rows.map(of)) / per : rows.length, `${list} of ${project}`)
    }
  }

  async function compareSummary(projects: Project[], key: string, day: string) {
    const totals = totalsOf(projects, day)
    const queries: SummaryQuery[] = [
      {},
      ...['lastActivityAt', 'name', '-name'].map((sort) => ({ sort })),
      { status: 'archived' },
      ...(totals.lastActivityAt ? [{ updatedAfter: pick(projects).lastActivityAt }] : []),
      { status: 'active', q: pick(['alp', 'Two', 'round', 'nothing']) },
    ]
    for (const query of queries) {
      const claim = `summary ${JSON.stringify(query)}`
      const expected = summaryOf(projects, query, day)
      const limit = Math.max(1, below(expected.length))
      const pages = await walk('/projects/summary', { ...query, limit }, key)
      for (const { meta, totals: found } of pages) {
        assert.deepEqual(found, totals, claim)
        assert.deepEqual(meta, { limit, nextCursor: meta.nextCursor, hasMore: meta.nextCursor !== null }, claim)
      }
      const items = pages.flatMap(({ data }) => data as Row[])
      assert.deepEqual(items, expected, claim)
    }
  }

  async function compareOnce(day: string) {
    // Autovacuum would do this a minute later.
    await workgate.sql`analyze`
    const projects = projectsIn(await readTables(workgate.sql))
    const sampled = pick(permanent)
    for (const [id, project] of projects) {
      if (permanent.includes(id) || chance(0.2)) await compareProject(id, project, day, id === sampled)
    }
    await compareSummary([...projects.values()], keys.all, day)
    const [key] = await workgate.sql`select project_ids from workgate.api_keys where name = 'some'`
    const visible = key!['project_ids'].flatMap((id: string) => projects.get(id) ?? [])
    await compareSummary(visible, keys.some, day)
    for (const id of projects.keys()) known.add(id)
  }

  return {
    ask,
    /** Overdue tasks and the last days change at midnight. If a comparison runs past midnight, it is repeated. */
    async compareAll() {
      const day = today()
      await compareOnce(day).catch(async (error: unknown) => {
        if (day === today()) throw error
        await compareOnce(today())
      })
    },
    /** Checks that workgate.recount finds no difference, in existing and in deleted projects. */
    async recountAll(repair: boolean) {
      for (const id of known) {
        const wrong = await inPlaceOf(workgate.sql, id, `select * from workgate.recount('${id}', ${repair})`)
        assert.deepEqual(wrong, [], `recount of ${id}`)
      }
    },
  }
}
