// Reads the beginning of a stream, which tells how to read all of it.

/** Returns the pieces up to one after which it is enough, joined, and everything with them. `length` is that of all pieces. */
export async function readAhead<T extends string | Uint8Array>(
  pieces: AsyncIterable<T>,
  join: (pieces: T[]) => T,
  isEnough: (piece: T, length: number) => boolean,
): Promise<[beginning: T, all: AsyncIterable<T>]> {
  const iterator = pieces[Symbol.asyncIterator]()
  const read: T[] = []
  let length = 0
  for (;;) {
    const next = await iterator.next()
    if (next.done) break
    read.push(next.value)
    length += next.value.length
    if (isEnough(next.value, length)) break
  }
  const beginning = join(read)
  async function* all() {
    yield beginning
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return [beginning, all()]
}

export const joinTexts = (texts: string[]) => texts.join('')
