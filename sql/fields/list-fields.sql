-- workgate fields
select
  f.name, f.type, p.key as project,
  coalesce(
    (select i.indisvalid from pg_index i where i.indexrelid = to_regclass(format('workgate.%I', 'tasks_by_field_' || f.name))), false) as indexed
from workgate.fields f
left join workgate.projects p on p.id = f.project_id
order by f.name collate "C", p.key nulls first
