-- The tag of task t with this name
(
  select g.name
  from workgate.task_tags tt
  join workgate.tags g on g.project_id = :projectId
    and g.id = tt.tag_id
  where tt.project_id = :projectId
    and tt.task_id = t.id
    and lower(g.name) = lower({{tag}})
)
