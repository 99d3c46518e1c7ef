// Reads the file that a command is given.

import { createReadStream, statSync } from 'node:fs'
import { UsageError, type CommandContext } from './command-context.ts'

/** Opens the file of a command; - is standard input. */
export function openFile(
  { input }: CommandContext,
  path: string,
): { stream: AsyncIterable<Uint8Array>; bytes: number } {
  if (path === '-') return { stream: input, bytes: Infinity }
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw new Error('it is a folder')
    return { bytes: stats.size, stream: createReadStream(path, { highWaterMark: 262_144 }) }
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message.split(', ')[0]}`)
  }
}

export async function* counted(stream: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void) {
  for await (const chunk of stream) {
    yield chunk
    onRead(chunk.length)
  }
}
