// A position in the log of the primary, which a standby must have replayed to run a statement.

/** A position of the log that contains every commit that was visible when it was read; see sql/freshness/versions.sql. */
export interface LogPosition {
  /** The epoch of the primary; see sql/migrations/0013-epochs.sql. */
  epoch: string
  lsn: bigint
}
