// Limits how many tasks run at once.

/** Tasks over the limit wait, and start in order when running tasks end. */
export function limitConcurrency(maxRunning: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < maxRunning) running++
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      const start = waiting.shift()
      if (start) start()
      else running--
    }
  }
}
