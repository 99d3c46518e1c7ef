-- The line of task t
'{"kind":"task",' || substr({{taskJson}}, 2)
|| ',"tags":' || array_to_json(array(
  select json_build_object('id', g.id, 'name', g.name, 'color', g.color)
  from workgate.task_tags tt
  join workgate.tags g on g.project_id = tt.project_id and g.id = tt.tag_id
  where tt.project_id = t.project_id
    and tt.task_id = t.id
  order by g.id
))
|| ',"watcherIds":' || array_to_json(array(
  select w.user_id
  from workgate.task_watchers w
  where w.project_id = t.project_id
    and w.task_id = t.id
  order by w.user_id
))
|| '}'
