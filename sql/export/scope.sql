-- Chooses the project that lines.sql or sheet.sql exports, or all for ''. A cursor takes no parameters.
select
  set_config('workgate.exported_project', :project::text, true),
  :project = '' or exists (select from workgate.projects where key = :project) as found
