-- Settings for the transaction of a backup or a restore: no time limit, texts that every version reads in the same way, and
-- plans that checks of foreign keys keep.
select
  set_config('statement_timeout', '0', true),
  set_config('DateStyle', 'ISO, YMD', true),
  set_config('bytea_output', 'hex', true),
  set_config('plan_cache_mode', 'auto', true)
