-- workgate import --save
insert into workgate.import_mappings (project_id, name, options)
select id, :name, :options::text[]
from workgate.projects
where key = :project
on conflict (project_id, name) do update set options = excluded.options
