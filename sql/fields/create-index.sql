-- workgate fields add --index
-- Has the order of lists after each value. Of all tasks, because PostgreSQL does not use the statistics of a partial index.
create index concurrently if not exists "tasks_by_field_{{name}}" on workgate.tasks
  (project_id, workgate.own_field(fields, '{{name}}'), created_at, id)
