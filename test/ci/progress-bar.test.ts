// Long work shows its progress on a terminal, here the pseudo-terminal of util-linux' script:
// npm test -- test/ci/progress-bar.test.ts

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { run } from '../support/environment.ts'
import { freshDatabase } from '../support/workgate.ts'

const runFile = promisify(execFile)
const tasks = 8_000
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workgate-terminal-'))
})
after(() => rm(folder, { recursive: true }))

/** Runs a command line on a terminal. Returns what appeared on the terminal, and the standard output if it went to a file. */
async function onTerminal(commandLine: string, environment: Record<string, string>) {
  const out = join(folder, 'out')
  const line = commandLine.replace('WORKGATE', run().program.join(' ')).replace('OUT', out)
  const env = { PATH: process.env['PATH'], TERM: 'xterm', ...environment }
  const { stdout: screen } = await runFile('script', ['-qec', line, '/dev/null'], { env })
  return { screen, out: await readFile(out, 'utf8').catch(() => '') }
}

async function withDemo(environment: Record<string, string>, check: (seen: { screen: string; out: string }) => void) {
  const database = await freshDatabase()
  try {
    const settings = { DATABASE_URL: database.url, ...environment }
    check(await onTerminal(`stty cols 72; WORKGATE demo --projects 3 --tasks ${tasks} >OUT`, settings))
    const [row] = await database.sql`select count(*)::integer as n from workgate.tasks`
    assert.equal(row!['n'], tasks)
  } finally {
    await database.drop()
  }
}

const eraseLine = '\r\x1b[K'
const result = /^Created demo data up to \d{4}-\d\d-\d\d:\n( +\d+ [a-z ]+\n){8}Create a key: [^\n]+\n$/

test('demo shows a bar that grows with the batches, fits the terminal and disappears', async () => {
  await withDemo({}, ({ screen, out }) => {
    const [first, ...bars] = screen.split(eraseLine)
    assert.deepEqual([first, bars.pop()], ['', ''])
    const done = bars.map((bar) => {
      const [, step, count] = /^(creating tasks) \[#*-*\] +\d+ %  ([\d,]+)\/8,000(?:  about (?:\d+ min )?\d+ s left)?$/.exec(bar) ?? [] // prettier-ignore
      assert.equal(step, 'creating tasks', bar)
      assert.ok(bar.length < 72, bar)
      return Number(count!.replace(',', ''))
    })
    assert.deepEqual(
      done,
      [...done].sort((a, b) => a - b),
    )
    assert.ok(new Set(done).size > 2, String(done))
    assert.match(out, result)
  })
})

test('a terminal that cannot move the cursor gets no bar', async () => {
  await withDemo({ TERM: 'dumb' }, ({ screen, out }) => {
    assert.match(screen, /^(creating tasks: [\d,]+ of 8,000 \(\d+ %\)[ -~]*\r\n)*$/)
    assert.match(out, result)
  })
})

test('results on the same terminal follow on a line of their own', async () => {
  const database = await freshDatabase()
  try {
    const { screen } = await onTerminal(`WORKGATE demo --projects 3 --tasks ${tasks}`, { DATABASE_URL: database.url })
    const shown = screen.slice(screen.lastIndexOf(eraseLine) + eraseLine.length)
    assert.match(shown.replaceAll('\r\n', '\n'), result)
  } finally {
    await database.drop()
  }
})
