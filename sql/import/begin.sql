-- Imports into different projects run at the same time. They share a lock that everything needs alone that deletes people or
-- projects, and those that create some have another one. Checks of foreign keys and triggers keep their plans, which the other
-- statements, on temporary tables, do not.
select
  case
    when :isAlone::boolean then pg_advisory_xact_lock(hashtextextended('workgate import', 0))
    else pg_advisory_xact_lock_shared(hashtextextended('workgate import', 0))
  end,
  case when :creates::boolean then pg_advisory_xact_lock(hashtextextended('workgate import creates', 0)) end,
  set_config('workgate.channel', :channel::text, true),
  set_config('workgate.actor', :actor::text, true),
  set_config('plan_cache_mode', 'auto', true)
