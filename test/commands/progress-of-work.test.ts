// The progress of each kind of long work is the work that is done: its counts never exceed what has been committed or
// written, and end with the total.

import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pack } from '../../src/build/pack-postgres.mjs'
import { fillWithDemo } from '../../src/commands/demo/fill.ts'
import { checkTallies } from '../../src/commands/doctor/schema.ts'
import { extractAs, packFolder } from '../../src/db/embedded/tar.ts'
import { decompress, unpack } from '../../src/db/embedded/unpack.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import type { Progress } from '../../src/runtime/progress.ts'
import { quiet } from '../support/log.ts'
import { temporaryFolder } from '../faults/fixtures/embedded.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import { type Sql } from '../support/workgate.ts'

interface Step {
  step: string
  total: number
  /** The sum of all units so far, after each call of advance. */
  counts: number[]
}

/** Calls `onAdvance` with the number of units that are done. */
function recordProgress(onAdvance: (done: number) => Promise<void> = async () => {}) {
  const steps: Step[] = []
  const checks: Promise<void>[] = []
  const progress: Progress = async (step, total, work) => {
    const counts: number[] = []
    steps.push({ step, total, counts })
    const result = await work((units = 1) => {
      counts.push((counts.at(-1) ?? 0) + units)
      checks.push(onAdvance(counts.at(-1)!))
    })
    await Promise.all(checks)
    return result
  }
  return { steps, progress }
}

const tasks = 2_100
const demo = await suiteDatabase()
const db = suitePool(demo.url)

async function count(sql: Sql, table: string): Promise<number> {
  const [row] = await sql.unsafe(`select count(*)::integer as n from workgate.${table}`)
  return row!['n']
}

test('demo counts the tasks that are committed', async () => {
  const { steps, progress } = recordProgress(async (done) => assert.ok((await count(demo.sql, 'tasks')) >= done))
  await fillWithDemo(db, { projects: 3, tasks, until: '2026-06-01' }, progress)
  assert.deepEqual(steps.map(({ step, total, counts }) => [step, total, counts.at(-1)]), [['creating tasks', tasks, tasks]]) // prettier-ignore
  assert.ok(steps[0]!.counts.length > 2)
})

test('demo leaves no deltas, and its tallies match the rows', async () => {
  assert.deepEqual([await count(demo.sql, 'tally_deltas'), await count(demo.sql, 'effort_marks')], [0, 0])
  const wrong = await demo.sql`select r.* from workgate.projects p cross join workgate.recount(p.id, false) r`
  assert.equal(wrong.length, 0)
})

test('the doctor counts the tasks of the projects that it has compared', async () => {
  const { steps, progress } = recordProgress()
  const finding = await db.session((session) => checkTallies(session, false, progress))
  assert.equal(finding.state, 'ok')
  const [{ step, total, counts }] = steps as [Step]
  assert.deepEqual([step, total, counts.length, counts.at(-1)], ['recounting tasks', tasks, 3, tasks])
})

test('migrations are counted when they are applied', async () => {
  const { sql, url } = await suiteDatabase(undefined, 'template0')
  const db = suitePool(url)
  const first = migrations.slice(0, 4)
  await migrate(db, first, quiet)
  const { steps, progress } = recordProgress(async (done) =>
    assert.ok((await count(sql, 'migrations')) >= first.length + done),
  )
  for (let run = 0; run < 2; run++) await migrate(db, migrations, quiet, progress)
  const rest = migrations.length - first.length
  const counts = Array.from({ length: rest }, (_, n) => n + 1)
  assert.deepEqual(steps, [{ step: 'applying migrations', total: rest, counts }])
})

test('unpacking counts the bytes that are decompressed and written', async (t) => {
  const folder = await temporaryFolder(t)
  const source = join(folder, 'source')
  const files: Record<string, Buffer> = {
    'bin/postgres': Buffer.alloc(3_000_000, 'p'),
    'share/a.sql': Buffer.from('a'),
  }
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(join(source, name, '..'), { recursive: true })
    await writeFile(join(source, name), bytes)
  }
  const user = { name: 'the current user' }
  const packed = pack(source)
  const { steps, progress } = recordProgress()
  const archive = await progress('decompress', packed.length, (advance) => decompress(packed, advance))
  await progress('unpack', archive.length, (advance) => unpack(archive, join(folder, 'unpack'), advance))
  await progress('extract', archive.length, (advance) => extractAs(user, join(folder, 'extract'), archive, advance))
  await progress('copy', archive.length, (advance) => extractAs(user, join(folder, 'copy'), packFolder(source), advance)) // prettier-ignore
  for (const copy of ['unpack', 'extract', 'copy']) {
    for (const [name, bytes] of Object.entries(files)) assert.ok(bytes.equals(await readFile(join(folder, copy, name))))
    assert.deepEqual((await readdir(join(folder, copy))).sort(), ['bin', 'share'])
  }
  const [decompressed, unpacked, extracted, copied] = steps.map(({ total, counts }) => ({
    total,
    done: counts.at(-1)!,
  }))
  assert.equal(decompressed!.done, decompressed!.total)
  // The archive ends with two empty blocks.
  assert.equal(unpacked!.done, unpacked!.total - 1_024)
  assert.equal(extracted!.done, extracted!.total)
  assert.ok(steps[2]!.counts.length > 2)
  assert.ok(copied!.done > 3_000_000)
})
