-- Runs on a standby, before statements that must see what the primary has committed: what it has replayed. The last epoch
-- tells which history it follows, since positions of another one mean nothing here. The parameter makes the driver prepare
-- the statement.
select
  pg_is_in_recovery() as "isStandby",
  (
    select case when e.journal = workgate.journal_identity() then e.id end
    from workgate.epochs e
    order by e.n desc
    limit 1
  )::text as epoch,
  (pg_last_wal_replay_lsn() - :origin::pg_lsn)::text as lsn
