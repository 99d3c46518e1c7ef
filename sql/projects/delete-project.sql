-- workgate projects delete
-- Foreign keys delete what the project contains, and triggers its tallies.
delete from workgate.projects
where id = :projectId
returning key
