-- workgate import --like: the saved options, and the names of all that the project has.
select
  (array_agg(array_to_json(m.options)::text) filter (where m.name = :name))[1] as options,
  coalesce(json_agg(m.name order by m.name), '[]')::text as names
from workgate.import_mappings m
join workgate.projects p on p.id = m.project_id
where p.key = :project
