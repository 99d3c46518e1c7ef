// Reads the CPU time and the memory of processes from /proc.

import { readdir, readFile } from 'node:fs/promises'
import type { Figures } from './race.ts'
import type { Sql } from '../support/workgate.ts'

// USER_HZ, which is 100 on every platform that Node runs on.
const ticksPerSecond = 100

/** CPU time since the start of the process, in user and in system mode. */
export async function processorSeconds(pid: number): Promise<number> {
  const [, , , , , , , , , , , user, system] = await statOf(pid)
  return (Number(user) + Number(system)) / ticksPerSecond
}

/** CPU time so far of all connections of services to this server. */
async function databaseSeconds(sql: Sql): Promise<number> {
  const rows = await sql`select pid from pg_stat_activity where application_name like 'workgate%'`
  const each = await Promise.all(rows.map(({ pid }) => processorSeconds(pid)))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

/** CPU time so far of all processes of a server, of those that have ended, too. */
export async function serverSeconds(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  const each = await Promise.all(children.map((child) => processorSeconds(Number(child)).catch(() => 0)))
  const ended = (await statOf(pid)).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  return each.reduce((sum, seconds) => sum + seconds, ended)
}

/** Adds the CPU time of PostgreSQL per response to the figures of a load. */
export async function withDatabaseTime(sql: Sql, load: () => Promise<Figures>): Promise<Figures> {
  const before = await databaseSeconds(sql)
  const figures = await load()
  return { ...figures, database: ((await databaseSeconds(sql)) - before) / figures.responses! }
}

/** Resident megabytes, current and peak. */
export async function residentMb(pid: number): Promise<{ now: number; peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return { now: megabytes(text, 'VmRSS'), peak: megabytes(text, 'VmHWM') }
}

/** Megabytes of all descendants of a process, with shared memory divided among its users (PSS). */
export async function proportionalMbBelow(pid: number): Promise<number> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [, parent] = await statOf(Number(name)).catch(() => [])
    if (parent) parents.set(Number(name), Number(parent))
  }
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && (parents.get(each) === pid || isBelow(parents.get(each)))
  const below = [...parents.keys()].filter(isBelow)
  const sizes = below.map(async (each) => megabytes(await readFile(`/proc/${each}/smaps_rollup`, 'utf8'), 'Pss'))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The fields from the third on. The second is the name, which may contain any character. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function megabytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)![1]) / 1024
}
