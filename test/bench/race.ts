// Compares the rates of several runners.
//
// The machine is shared, and other load comes and goes. So the runners take turns of one second, for several rounds,
// and the best second of each counts: other load can only slow a runner down, and each has the same chance of a quiet
// second.

export interface Figures {
  /** Operations per second. */
  rate: number
  /** The number of responses, and their mean size. */
  responses?: number
  bytes?: number
  /** Seconds from request to response: the 50th and the 99th percentile. */
  p50?: number
  p99?: number
  /** CPU seconds of the serving process per response. */
  processor?: number
}

export async function race<Name extends string>(
  rounds: number,
  runners: Record<Name, () => Promise<Figures>>,
): Promise<Record<Name, Figures>> {
  const best: Partial<Record<Name, Figures>> = {}
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(runners) as Name[]) {
      const figures = await runners[name]()
      if (figures.rate > (best[name]?.rate ?? 0)) best[name] = figures
    }
  }
  for (const name of Object.keys(runners) as Name[])
    if (!best[name]) throw new Error(`${name} completed no operation in any round`)
  return best as Record<Name, Figures>
}
