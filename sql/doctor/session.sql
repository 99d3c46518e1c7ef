-- workgate doctor: the settings of a connection of the service, which requests them when it connects.
select
  current_setting('plan_cache_mode') as "planCacheMode",
  (select setting::integer from pg_settings where name = 'statement_timeout') as "statementTimeoutMs"
