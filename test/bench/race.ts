// How several do the same, side by side.
//
// The machine is shared with others, whose work comes and goes. So each runs for a second, in turn, again and again, and its best
// second counts: others can only slow it down, and all have the same chance of a quiet moment.

export interface Figures {
  /** Times a second. */
  rate: number
  /** How many there were, and of how many bytes each. */
  answers?: number
  bytes?: number
  /** Seconds from request to answer, of half of the requests and of 99 %. */
  p50?: number
  p99?: number
  /** Seconds that the serving process spent on a processor for each. */
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
    if (!best[name]) throw new Error(`${name} did nothing at all in a second`)
  return best as Record<Name, Figures>
}
