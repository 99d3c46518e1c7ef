// Counts the turns of the event loop while some work runs: in each of them, other requests make progress.

export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}
