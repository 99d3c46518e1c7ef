-- workgate demo: the number of rows in each table.
select
  (select count(*) from workgate.users)::integer as users,
  (select count(*) from workgate.teams)::integer as teams,
  (select count(*) from workgate.projects)::integer as projects,
  (select count(*) from workgate.tasks)::integer as tasks,
  (select count(*) from workgate.comments)::integer as comments,
  (select count(*) from workgate.files)::integer as files,
  (select count(*) from workgate.time_entries)::integer as "time entries",
  (select count(*) from workgate.documents)::integer as documents
