// What processes take of the machine, as Linux counts it.

import { readdir, readFile } from 'node:fs/promises'

// USER_HZ, which is 100 on everything that Node runs on.
const ticksPerSecond = 100

/** Since it began, in user mode and in the system. */
export async function processorSeconds(pid: number): Promise<number> {
  const [, , , , , , , , , , , user, system] = await statOf(pid)
  return (Number(user) + Number(system)) / ticksPerSecond
}

/** Resident megabytes: now, and at most so far. */
export async function residentMb(pid: number): Promise<{ now: number; most: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return { now: megabytes(text, 'VmRSS'), most: megabytes(text, 'VmHWM') }
}

/** Megabytes of all processes below one, of what several of them share each its part (PSS). */
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

/** Its fields from the third on: what stands before them is the name, which may hold anything. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function megabytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)![1]) / 1024
}
