// Standard output and standard error, which may be the same terminal.

import type { Log, LogStyle } from './log.ts'
import { showAsBar, showAsLines, showInLog, type ProgressDisplay } from './progress.ts'

interface Stream {
  isTTY?: boolean
  columns?: number
  write(text: string | Uint8Array): unknown
}

export function createTerminal(stdout: Stream, stderr: Stream, environment: Readonly<NodeJS.ProcessEnv>) {
  const isDumb = environment['TERM'] === 'dumb'
  // Some pseudo-terminals have no size.
  const bar = showAsBar({ write: (text) => void stderr.write(text), columns: () => stderr.columns || 80 })

  /** Removes the bar first: it is on standard error, which may be the same terminal. */
  const writeTo = (stream: Stream) => (text: string | Uint8Array) => {
    bar.clear()
    stream.write(text)
  }
  const writeOutput = writeTo(stdout)
  const writeError = writeTo(stderr)

  return {
    writeOutput,
    writeError,

    /** Text for people at a terminal, and JSON for programs; see https://no-color.org. */
    logStyle(format: 'json' | 'text' | undefined, isService: boolean): LogStyle {
      const { isTTY = false } = isService ? stdout : stderr
      if ((format ?? (isTTY ? 'text' : 'json')) === 'json') return 'json'
      return isTTY && !environment['NO_COLOR'] && !isDumb ? 'colored text' : 'text'
    },

    /** A terminal that cannot move the cursor gets lines, too. */
    progressDisplay(log: Log, isService: boolean): ProgressDisplay {
      if (stderr.isTTY && !isDumb) return bar
      return isService ? showInLog(log) : showAsLines((text) => writeError(text + '\n'))
    },
  }
}
