// Backup, export and restore of large documents keep few of them in memory, whatever their number. Against the artifact.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { insertData, web } from '../../support/data.ts'
import { suiteDatabase } from '../../support/suite-database.ts'
import { command } from '../../support/workgate.ts'

const documents = 8
const documentBytes = 25_000_000
/**
 * A line is a string of 50 MB, and the text of a statement or a chunk of a stream is a copy. A busy machine frees them later.
 * All documents at once would take more than 600 MB.
 */
const maxGrowthMb = 500

/** The greatest memory of the process so far, as its last words. */
const reportMemory = `--import=data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => process.stderr.write('most: ' + process.resourceUsage().maxRSS + ' KB'))`,
)}`

async function memoryOf(url: string, ...args: string[]): Promise<number> {
  const { code, err } = await command(args, { DATABASE_URL: url, NODE_OPTIONS: reportMemory })
  const [, kilobytes] = /most: (\d+) KB$/.exec(err) ?? []
  assert.deepEqual([code, kilobytes !== undefined], [0, true], err)
  return Number(kilobytes) * 1024
}

describe('memory grows by the size of a few documents of 25 MB:', { concurrency: false }, () => {
  let folder = ''
  let small = ''
  let large = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workgate-large-'))
    small = (await suiteDatabase(insertData)).url
    const { sql, url } = await suiteDatabase(insertData)
    await sql`
      insert into workgate.documents (project_id, path, title, markdown)
      select ${web}, n || '.md', 'Large', repeat('ж', ${documentBytes / 2}) from generate_series(1, ${documents}) n`
    large = url
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const name of ['backup', 'export', 'restore']) {
    test(`${name}, by less than ${maxGrowthMb} MB`, { timeout: 170_000 }, async () => {
      const peaks: number[] = []
      for (const [size, url] of Object.entries({ small, large })) {
        const file = join(folder, `${size}.${name === 'export' ? 'jsonl' : 'backup'}`)
        const target = name === 'restore' ? (await suiteDatabase()).url : url
        peaks.push(await memoryOf(target, name, file))
      }
      const growth = (peaks[1]! - peaks[0]!) / 1_048_576
      assert.ok(growth < maxGrowthMb, `${Math.round(growth)} MB`)
    })
  }
})
