-- The project that lines.sql exports, or '' for all. A cursor takes no parameters.
select set_config('workgate.exported_project', :project::text, true)
