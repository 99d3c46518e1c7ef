-- workgate demo: fills only a database without data.
select not (
  exists (select from workgate.users)
  or exists (select from workgate.teams)
  or exists (select from workgate.projects)
) as empty
