-- workgate fields add --index
-- Has the order of lists after each value, and only values that a filter can have: an index cannot contain longer ones.
create index concurrently if not exists "tasks_by_field_{{name}}" on workgate.tasks (project_id, (fields -> '{{name}}'), created_at, id)
  where octet_length(fields ->> '{{name}}') <= 800
