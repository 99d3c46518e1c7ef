-- The time zone of times without an offset.
select set_config('TimeZone', :timezone::text, false)
