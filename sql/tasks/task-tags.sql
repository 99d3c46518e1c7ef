-- The tags of task t, as JSON text
select '[' || coalesce(string_agg(row_to_json(f)::text, ','), '') || ']'
from (
  select g.id, g.name, g.color
  from workgate.task_tags tt
  join workgate.tags g on g.id = tt.tag_id
  where tt.project_id = {{project}}
    and g.project_id = {{project}}
    and tt.task_id = t.id
  order by lower(g.name) collate "C"
) f
