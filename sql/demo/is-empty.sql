-- workgate demo: only a database without data is filled.
select not (
  exists (select from workgate.users)
  or exists (select from workgate.teams)
  or exists (select from workgate.projects)
) as empty
