-- workgate people merge
-- Waits for all imports, which look for users. Names the writer in the history.
select
  pg_advisory_xact_lock(hashtextextended('workgate import', 0)),
  set_config('workgate.channel', 'system', true),
  set_config('workgate.actor', 'workgate people merge', true)
