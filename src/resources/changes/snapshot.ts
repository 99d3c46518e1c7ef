// The knowledge of a reader of changes: the transactions that were visible to it, written as a snapshot of PostgreSQL,
// xmin:xmax:xip. Transactions from xmax on are unknown, and of those before it the ones in xip.

export interface Snapshot {
  xmax: bigint
  /** In ascending order. */
  xip: readonly bigint[]
}

export function parseSnapshot(text: string): Snapshot {
  const [, xmax, xip] = text.split(':')
  return { xmax: BigInt(xmax!), xip: xip ? xip.split(',').map(BigInt) : [] }
}

export const snapshotText = ({ xmax, xip }: Snapshot) => `${xip[0] ?? xmax}:${xmax}:${xip.join()}`

/** The lowest numbers of each 32 bits are no transactions. PostgreSQL refuses a snapshot with them. */
export const isNormal = (xid: bigint) => BigInt.asUintN(32, xid) >= 3n

export const isKnown = ({ xmax, xip }: Snapshot, xid: bigint) => xid < xmax && !xip.includes(xid)

/** After reading what is new in `now`, in the order of the transactions, and of none from `xid` on. */
export function knownBefore(base: Snapshot, now: Snapshot, xid: bigint): Snapshot {
  if (xid >= base.xmax) return { xmax: xid, xip: now.xip.filter((other) => other < xid) }
  return { xmax: base.xmax, xip: base.xip.filter((other) => other >= xid || !isKnown(now, other)) }
}

/** After reading a transaction that was the first unknown one, or in progress. */
export function withKnown({ xmax, xip }: Snapshot, xid: bigint): Snapshot {
  if (xid === xmax) return { xmax: isNormal(xmax + 1n) ? xmax + 1n : xmax + 4n, xip }
  return { xmax, xip: xip.filter((other) => other !== xid) }
}
