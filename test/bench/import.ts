// Measures the import of a file of GitHub issues with a comment and two labels each: the first one, one that changes
// nothing, and the memory that a large file takes in addition to that for a small one.

import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Part } from './part.ts'
import { atMost, printTable } from './table.ts'

const targets = { first: 40, second: 15, megabytes: 150 }

export const benchImport: Part = async ({ url, folder, imported }) => {
  const [small, large] = [join(folder, 'small.json'), join(folder, 'large.json')]
  await pipeline(Readable.from(issues(5)), createWriteStream(small))
  await pipeline(Readable.from(issues(imported)), createWriteStream(large))
  const base = await runImport(url, small)
  const first = await runImport(url, large)
  const second = await runImport(url, large)
  const megabytes = Math.max(first.megabytes, second.megabytes) - base.megabytes
  const size = Math.round(statSync(large).size / 1e6)
  printTable(`Import of ${imported} issues of GitHub with comments and tags, ${size} MB`, [
    ['the first time', `${first.seconds.toFixed(1)} s`, atMost(`${targets.first} s`, first.seconds <= targets.first)],
    ['again', `${second.seconds.toFixed(1)} s`, atMost(`${targets.second} s`, second.seconds <= targets.second)],
    ['memory in addition to a small file', `${Math.round(megabytes)} MB`, atMost(`${targets.megabytes} MB`, megabytes <= targets.megabytes)],
  ]) // prettier-ignore
}

async function runImport(url: string, file: string): Promise<{ seconds: number; megabytes: number }> {
  const started = performance.now()
  const child = spawn(process.execPath, ['dist/workgate.mjs', 'import', file, '--project', 'IMPORTED'], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let megabytes = 0
  // The process is gone when its exit is reported.
  const timer = setInterval(() => (megabytes = Math.max(megabytes, peakMegabytes(child.pid!))), 50)
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`the import ended with code ${code}`)
  return { seconds: (performance.now() - started) / 1_000, megabytes }
}

function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_000
  } catch {
    return 0
  }
}

function* issues(count: number): Generator<string> {
  const user = (n: number) => ({ login: `user${n % 60}`, id: n % 60, type: 'User' })
  const label = (n: number) => ({ id: n % 40, name: `label ${n % 40}`, color: 'd73a4a', description: 'Something' })
  const hour = (n: number) => new Date(Date.UTC(2015, 0, 1) + n * 3_600_000).toISOString()
  const text = 'Some words about what happens, what should happen instead, and how to reproduce it. '
  const repository = 'acme/website/issues'
  const firstComment = 500_000_000
  for (let n = 1; n <= count; n++) {
    const isClosed = n % 5 > 0
    const issue = {
      number: n,
      html_url: `https://github.com/${repository}/${n}`,
      title: `Issue ${n} of the website`,
      body: text.repeat(8),
      user: user(n),
      assignees: [user(n * 3)],
      labels: [label(n), label(n * 7)],
      milestone: null,
      state: isClosed ? 'closed' : 'open',
      state_reason: isClosed ? 'completed' : null,
      comments: 1,
      created_at: hour(n),
      updated_at: hour(n + 50),
      closed_at: isClosed ? hour(n + 50) : null,
    }
    const comment = {
      id: firstComment + n,
      html_url: `https://github.com/${repository}/${n}#issuecomment-${firstComment + n}`,
      issue_url: `https://api.github.com/repos/${repository}/${n}`,
      body: text.repeat(3),
      user: user(n * 11),
      created_at: hour(n + 1),
      updated_at: hour(n + 1),
    }
    yield `${JSON.stringify(issue)}\n${JSON.stringify(comment)}\n`
  }
}
