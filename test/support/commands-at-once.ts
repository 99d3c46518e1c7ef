// Runs several commands on one embedded database at once, and kills one of them in some rounds.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../faults/fixtures/embedded.ts'
import { recordSecret } from './log.ts'
import { runArtifact } from './workgate.ts'

const commandsPerRound = 5
const creators = 2
const maxStartDelayMs = 300
/** Commands end within about this time, alone and on a fast machine. */
const maxKillDelayMs = 1_200

export interface Round {
  /** In a folder without a database, the first commands create it. */
  isNew: boolean
  kills: boolean
}

/** Throws if any command fails, except the one that is killed. */
export async function runRound(dataDir: string, { isNew, kills }: Round): Promise<void> {
  const files = await mkdtemp(join(tmpdir(), 'workgate-commands-'))
  try {
    const commands = isNew ? await onNewFolder(files) : await onExistingFolder(files)
    // If both creators could not finish, the others would rightly find no database.
    const first = isNew ? creators : 0
    const killed = kills ? first + Math.floor(Math.random() * (commands.length - first)) : -1
    const runs = commands.map(async (args, at) => {
      const startMs = isNew ? 0 : Math.random() * maxStartDelayMs
      await sleep(startMs)
      // A command gives up after a second in which no database is being created.
      if (isNew && at >= creators)
        await until('the database is being created', async () =>
          (await readdir(dataDir)).some((name) => /^postgres$|\.new-\d+$/.test(name)),
        )
      const child = runArtifact(args, { DATA_DIR: dataDir })
      const ended = once(child, 'close') as Promise<[code: number | null]>
      let output = ''
      for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (output += text))
      const killMs = Math.random() * maxKillDelayMs
      const timer = at === killed ? setTimeout(() => child.kill('SIGKILL'), killMs) : undefined
      const [code] = await ended
      clearTimeout(timer)
      const isKey = args[0] === 'keys' && args[1] === 'create'
      // A command that waits for others also says so.
      if (isKey && code === 0) recordSecret(/^wg_\w+$/m.exec(output)![0])
      const words = `${at === killed ? `killed after ${Math.round(killMs)} ms: ` : ''}${args.join(' ')}`
      const moment = `started after ${Math.round(startMs)} ms`
      const report = `${words} (${moment}): exit code ${code} ${code === 0 ? '' : output}`
      return { report, isFailed: code !== 0 && at !== killed }
    })
    const results = await Promise.all(runs)
    assert.ok(!results.some(({ isFailed }) => isFailed), results.map(({ report }) => report).join('\n'))
  } finally {
    await rm(files, { recursive: true })
  }
}

const createKey = () => ['keys', 'create', crypto.randomUUID(), '--all-projects']

async function importFile(files: string): Promise<string[]> {
  const path = join(files, 'tasks.csv')
  await writeFile(path, 'title\nOne\nTwo\n')
  return ['import', path, '--project', 'ONE']
}

/** Commands that also work before the schema exists. */
async function onNewFolder(files: string): Promise<string[][]> {
  const others = [createKey(), ['projects'], ['sql', '-c', 'select 1'], ['keys', 'list'], await importFile(files)]
  return [...Array.from({ length: creators }, () => ['migrate']), ...chooseFrom(others, commandsPerRound - creators)]
}

async function onExistingFolder(files: string): Promise<string[][]> {
  const all = [
    createKey(),
    ['projects'],
    ['sql', '-c', 'select pg_sleep(random() * 0.3)'],
    ['keys', 'list'],
    ['migrate'],
    ['doctor'],
    ['export', join(files, 'export.jsonl')],
    ['backup', join(files, 'workgate.backup')],
    await importFile(files),
  ]
  return chooseFrom(all, commandsPerRound)
}

function chooseFrom<T>(all: readonly T[], count: number): T[] {
  const left = [...all]
  return Array.from({ length: count }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!)
}
