-- Imports run one after the other: each compares its rows with those that the others have committed. Checks of foreign
-- keys and triggers keep their plans, which the other statements, on temporary tables, do not.
select
  pg_advisory_xact_lock(hashtextextended('workgate import', 0)),
  set_config('workgate.channel', 'import', true),
  set_config('workgate.actor', :file::text, true),
  set_config('plan_cache_mode', 'auto', true)
