// Compares runners on a machine whose other load comes and goes: they take turns of one second, for several rounds.
// Figures are the medians of the rounds. Ratios are the medians of the ratios within a round.

export interface Figures {
  /** Operations per second. */
  rate: number
  /** The number of responses, and their mean size. */
  responses?: number
  bytes?: number
  /** Seconds from request to response: the 50th and the 99th percentile. */
  p50?: number
  p99?: number
  /** CPU seconds of the serving process and of PostgreSQL per response. */
  processor?: number
  database?: number
}

export interface Raced extends Figures {
  rounds: readonly Figures[]
}

export async function race<Name extends string>(
  rounds: number,
  runners: Record<Name, () => Promise<Figures>>,
): Promise<Record<Name, Raced>> {
  const names = Object.keys(runners) as Name[]
  const all = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Figures[]>
  for (let round = 0; round < rounds; round++) for (const name of names) all[name].push(await runners[name]())
  const raced = names.map((name) => {
    if (all[name].some(({ rate }) => rate === 0)) throw new Error(`${name} completed no operation in a round`)
    return [name, { ...medians(all[name]), rounds: all[name] }]
  })
  return Object.fromEntries(raced)
}

/** How many times as large a figure of one runner is as that of another: by default their rates. */
export function ratio(one: Raced, other: Raced, of = ({ rate }: Figures): number => rate): number {
  return median(one.rounds.map((figures, round) => of(figures) / of(other.rounds[round]!)))
}

/** CPU seconds per response, in all processes that were measured. */
export const totalProcessor = ({ processor = 0, database = 0 }: Figures): number => processor + database

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function medians(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0]!) as (keyof Figures)[]
  const figures = names.map((name) => [name, median(rounds.map((figures) => figures[name] ?? 0))])
  return Object.fromEntries(figures)
}
