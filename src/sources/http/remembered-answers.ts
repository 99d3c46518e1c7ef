// Remembers answers with their ETags. The body is kept as text, so its memory is known and no caller can change it.

/** The headers of an answer, with lower-case names. */
export type TrackerHeaders = ReadonlyMap<string, string>

export interface RememberedAnswer {
  etag: string
  body: Buffer
  headers: TrackerHeaders
}

/** The answer that was not used for the longest time makes room for new ones. */
export function rememberAnswers(maxBytes: number) {
  const answers = new Map<string, RememberedAnswer>()
  let bytes = 0

  function forget(path: string): void {
    const answer = answers.get(path)
    if (!answer) return
    answers.delete(path)
    bytes -= sizeOf(path, answer)
  }

  return {
    get: (path: string) => answers.get(path),
    /** Replaces what was remembered for the path, with nothing if the answer has no ETag. */
    set(path: string, body: Buffer, headers: TrackerHeaders): void {
      forget(path)
      const etag = headers.get('etag')
      if (!etag) return
      const answer = { etag, body, headers }
      const size = sizeOf(path, answer)
      if (size > maxBytes) return
      answers.set(path, answer)
      bytes += size
      while (bytes > maxBytes) forget(answers.keys().next().value!)
    },
  }
}

function sizeOf(path: string, { body, headers }: RememberedAnswer): number {
  let size = path.length + body.length
  for (const [name, value] of headers) size += name.length + value.length
  return size
}
