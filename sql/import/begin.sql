-- Imports run one after the other: each compares its rows with those that the others have committed.
select
  pg_advisory_xact_lock(hashtextextended('workgate import', 0)),
  set_config('workgate.channel', 'import', true),
  set_config('workgate.actor', :file::text, true)
