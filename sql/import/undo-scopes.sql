-- workgate imports undo: the projects that the import has changed, and whether the undo could delete people or projects.
select
  array_to_json(array(
    select distinct scope
    from workgate.import_changes
    where import_id = :importId::bigint
      and scope <> '00000000-0000-0000-0000-000000000000'))::text as "projectIds",
  exists (
    select
    from workgate.import_changes
    where import_id = :importId::bigint
      and (kind = 'project' or kind = 'user' and scope = '00000000-0000-0000-0000-000000000000')) as "isAlone"
