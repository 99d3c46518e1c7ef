// Collects the lines that are logged in one turn of the event loop and writes them at once: a write takes longer than
// everything else that is logged about a request.

export function createLineBatch(write: (lines: string) => void) {
  let lines = ''

  /** Writes the collected lines now. Call it before the process exits, and before anything else is written. */
  function flush() {
    const collected = lines
    lines = ''
    if (collected !== '') write(collected)
  }

  return {
    add(line: string) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
    flush,
  }
}
