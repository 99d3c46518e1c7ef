/** Runs so many at once; the others begin in their order, each when one has ended. */
export function limitConcurrency(count: number) {
  const rest: (() => void)[] = []
  let running = 0

  return async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < count) running++
    else await new Promise<void>((begin) => rest.push(begin))
    try {
      return await work()
    } finally {
      const begin = rest.shift()
      if (begin) begin()
      else running--
    }
  }
}
